package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.unique.UniqueGuard;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** The stack of what a blocking call throws leads to the line that called, not to threads of the driver. */
@LongLane
class CallersOfBlockingCallsIntegrationTests extends CassandraTest {

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE called_person (id uuid PRIMARY KEY, login text)");
        session.execute("CREATE TABLE called_dropped (id uuid PRIMARY KEY, login text)");
    }

    /** The first exception that somebody meets who follows the README. */
    @Test
    void aDuplicateLeadsToItsCaller() {
        ApplicationContext context = shared(List.of(), Application.class);
        People people = context.getBean(People.class);
        Person anna = people.insert(person("anna"));
        Person bert = people.insert(person("bert"));
        leadsHere(DuplicateValueException.class, () -> people.insert(person("anna")));
        leadsHere(DuplicateValueException.class, () -> people.save(new Person(bert.id(), "anna")));
        leadsHere(DuplicateValueException.class, () -> people.saveAll(List.of(person("anna"))));
        leadsHere(DuplicateValueException.class, () -> people.overwrite(new Person(bert.id(), "anna")));
        UniqueGuard guard = context.getBean(UniqueGuard.class);
        UniqueConstraint nick = UniqueConstraint.on("nick", "nick");
        guard.claim(nick, anna.id().toString(), "an");
        leadsHere(
                DuplicateValueException.class, () -> guard.claim(nick, bert.id().toString(), "an"));
    }

    @Test
    void aFailureOfTheServerLeadsToItsCaller() {
        ApplicationContext context = shared(List.of(), Application.class);
        Dropped dropped = context.getBean(Dropped.class);
        Gone row = dropped.insert(new Gone(UUID.randomUUID(), "carl"));
        session.execute("DROP TABLE called_dropped");
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> dropped.insert(new Gone(UUID.randomUUID(), "dora")),
                () -> dropped.save(new Gone(row.id(), "emil")),
                () -> dropped.delete(row),
                () -> dropped.overwrite(row),
                () -> context.getBean(UniqueFinder.class).find("called_dropped.login", Gone.class, "carl"))) {
            leadsHere(RuntimeException.class, call);
        }
    }

    private static void leadsHere(Class<? extends Throwable> type, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(type);
        List<String> frames = Arrays.stream(thrown.getStackTrace())
                .map(StackTraceElement::getClassName)
                .toList();
        int caller = frames.indexOf(CallersOfBlockingCallsIntegrationTests.class.getName());
        assertThat(caller).as(() -> String.join("\n", frames)).isNotNegative();
        assertThat(frames.subList(0, caller))
                .allMatch(frame -> Stream.of("io.surewrite.", "org.springframework.", "com.datastax.", "java.", "jdk.")
                        .anyMatch(frame::startsWith));
    }

    private static Person person(String login) {
        return new Person(UUID.randomUUID(), login);
    }

    @Table("called_person")
    record Person(@PrimaryKey UUID id, @Nullable String login) {}

    @Table("called_dropped")
    record Gone(@PrimaryKey UUID id, @Nullable String login) {}

    @Idempotent
    @UniqueBy("login")
    interface People extends CassandraRepository<Person, UUID>, OverwriteRepository<Person> {}

    @UniqueBy("login")
    interface Dropped extends CassandraRepository<Gone, UUID>, OverwriteRepository<Gone> {}

    @OwnRepositories
    static class Application {}
}
