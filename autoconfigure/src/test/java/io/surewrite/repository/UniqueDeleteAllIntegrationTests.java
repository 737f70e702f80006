package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyClass;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.AfterDeleteEvent;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import reactor.test.StepVerifier;

/** {@code deleteAll()} as the clean-up of an application's tests calls it. */
class UniqueDeleteAllIntegrationTests extends CassandraTest {

    private static final String CLAIMS = "SELECT constraint_name FROM surewrite_claim";

    @PrimaryKeyClass
    record SeatId(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String hall,

            @PrimaryKeyColumn(ordinal = 1) int number) {}

    @Table("seat")
    record Seat(
            @PrimaryKey SeatId id,
            @Nullable String guest,
            @Nullable String code,
            @Nullable String desk) {}

    @Table("member")
    record Member(@PrimaryKey UUID id, String login) {}

    @UniqueBy("guest")
    @UniqueBy({"code", "desk"})
    interface Seats extends CassandraRepository<Seat, SeatId> {}

    @UniqueBy({"guest"})
    @UniqueBy({"code", "desk"})
    interface ReactiveSeats extends ReactiveCassandraRepository<Seat, SeatId> {}

    @UniqueBy("login")
    interface Members extends CassandraRepository<Member, UUID> {

        @Override
        void deleteAll();
    }

    @OwnRepositories
    static class Repositories {

        final AtomicInteger deletions = new AtomicInteger();

        @Bean
        AtomicInteger deletions() {
            return deletions;
        }

        @EventListener
        void deleted(AfterDeleteEvent<?> event) {
            deletions.incrementAndGet();
        }
    }

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE seat (hall text, number int, guest text, code text, desk text, hue text static,"
                + " PRIMARY KEY (hall, number))");
        session.execute("CREATE TABLE member (id uuid PRIMARY KEY, login text)");
    }

    @BeforeEach
    void empty() {
        List.of("seat", "member").forEach(table -> session.execute("TRUNCATE " + table));
    }

    @Test
    void deletesEveryRowAndFreesEveryValue() {
        ApplicationContext context = shared(List.of(), Repositories.class);
        Seats seats = context.getBean(Seats.class);
        Members members = context.getBean(Members.class);
        Member member = new Member(UUID.randomUUID(), "kept");
        members.insert(member);
        for (Runnable deleteAll : List.<Runnable>of(
                seats::deleteAll,
                () -> StepVerifier.create(context.getBean(ReactiveSeats.class).deleteAll())
                        .verifyComplete())) {
            seats.saveAll(some("one", 25));
            seats.saveAll(some("one", 3)); // what is written over has a claim of its row
            session.execute("INSERT INTO seat (hall, hue) VALUES ('statics alone', 'red')");
            int before = context.getBean(AtomicInteger.class).get();

            deleteAll.run();

            assertThat(session.execute("SELECT number FROM seat").all()).allMatch(row -> row.isNull(0));
            assertThat(claims())
                    .as("of other tables")
                    .contains("member.login")
                    .noneMatch(name -> name.startsWith("seat.") || name.endsWith(".seat"));
            assertThat(context.getBean(AtomicInteger.class).get())
                    .as("an event for all rows together")
                    .isEqualTo(before + 1);
        }
        seats.insert(some("two", 25)); // other rows with the same values
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> members.insert(new Member(UUID.randomUUID(), member.login())));
        members.deleteAll();
        members.insert(new Member(UUID.randomUUID(), member.login()));
        seats.deleteAll();
        seats.deleteAll();
    }

    private static List<String> claims() {
        return session.execute(CLAIMS).all().stream()
                .map(row -> row.getString(0))
                .distinct()
                .toList();
    }

    private static List<Seat> some(String hall, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> new Seat(
                        new SeatId(hall + number % 3, number),
                        "guest" + number,
                        "code" + number,
                        number == 7 ? null : "a"))
                .toList();
    }
}
