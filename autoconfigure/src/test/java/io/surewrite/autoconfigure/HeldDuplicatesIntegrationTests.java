package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueReport;
import io.surewrite.unique.UniqueReport.State;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Rows that had one value before the constraint came: who may take the value when one of them gives it up. */
class HeldDuplicatesIntegrationTests extends CassandraTest {

    private final UUID one = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();

    // Names of this test alone: a claim of the test before would keep its name until its lease has run out.
    private final String ann = "ann " + one;
    private final String bob = "bob " + one;
    private final String cid = "cid " + one;
    private final String dan = "dan " + one;

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE reader (id uuid PRIMARY KEY, login text, note text)");
    }

    @BeforeEach
    void twins() {
        session.execute("TRUNCATE reader");
        for (UUID id : Set.of(one, other)) {
            session.execute("INSERT INTO reader (id, login) VALUES (?, ?)", id, ann);
        }
    }

    private static ApplicationContextRunner readers(boolean holds) {
        return OwnServer.with(
                Readers.class,
                application()
                        .withPropertyValues(
                                "surewrite.unique.scan.slices=4", "surewrite.unique.hold-duplicates=" + holds));
    }

    /** What holding is for. */
    @Test
    void aThirdRowMayTakeTheValueWhenItsHolderGivesItUp() {
        readers(false).run(context -> {
            Readers readers = context.getBean(Readers.class);
            giveUp(readers, context.getBean(UniqueConstraints.class));
            readers.insert(new Reader(UUID.randomUUID(), ann, null));
            assertThat(readers.findAll()).filteredOn(Reader::login, ann).hasSize(2);
        });
    }

    @Test
    void aHeldValueIsKeptForTheRowThatHasIt() {
        readers(true).run(context -> {
            Readers readers = context.getBean(Readers.class);
            UniqueConstraints constraints = context.getBean(UniqueConstraints.class);
            UUID left = giveUp(readers, constraints);
            UUID third = UUID.randomUUID();
            readers.insert(new Reader(third, cid, null));

            assertThatExceptionOfType(DuplicateValueException.class)
                    .isThrownBy(() -> readers.insert(new Reader(UUID.randomUUID(), ann, null)));
            assertThatExceptionOfType(DuplicateValueException.class)
                    .isThrownBy(() -> readers.save(new Reader(third, ann, null)));
            assertThat(readers.findAll()).filteredOn(Reader::login, ann).hasSize(1);

            readers.save(new Reader(left, ann, "the row itself may be written"));
            assertThat(constraints.build("reader-login").state()).isEqualTo(State.VALID);
            readers.deleteById(left);
            readers.save(new Reader(third, ann, "no row has it any more"));
            assertThat(readers.findAll()).filteredOn(Reader::login, ann).hasSize(1);
        });
    }

    @Test
    void aReportedRowThatHasLostTheValueKeepsNoOtherFromIt() {
        readers(true).run(context -> {
            Readers readers = context.getBean(Readers.class);
            UUID left = giveUp(readers, context.getBean(UniqueConstraints.class));
            readers.save(new Reader(left, dan, null));
            readers.insert(new Reader(UUID.randomUUID(), ann, null));
            assertThat(readers.findAll()).filteredOn(Reader::login, ann).hasSize(1);
        });
    }

    /** Builds, and has the row with the claim take another value; the other one, which is left without, is returned. */
    private UUID giveUp(Readers readers, UniqueConstraints constraints) {
        UniqueReport report = constraints.build("reader-login");
        assertThat(report.state()).isEqualTo(State.VIOLATED);
        UUID holder = (UUID) report.firstDuplicates().get(0).holder().get("id");
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> readers.insert(new Reader(UUID.randomUUID(), ann, null)));
        readers.save(new Reader(holder, bob, null));
        return holder.equals(one) ? other : one;
    }

    @Table("reader")
    record Reader(
            @PrimaryKey UUID id, String login, @Nullable String note) {}

    @UniqueBy(value = "login", name = "reader-login")
    interface Readers extends CassandraRepository<Reader, UUID> {}
}
