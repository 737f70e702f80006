package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;

/** A table that conditions of the application write beside sure writes. */
@ExtendWith(OutputCaptureExtension.class)
@LongLane
class MixedWritesIntegrationTests extends CassandraTest {

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE draw (id uuid PRIMARY KEY, note text, version bigint)");
        session.execute("CREATE TABLE other (id uuid PRIMARY KEY, note text)");
    }

    @Test
    void areNamedAtTheStart(CapturedOutput output) {
        List<Class<?>> conditional = List.of(
                UpdatesBesideItsSave.class,
                InsertsBesideUnique.class,
                DeletesBesideItsSave.class,
                BatchBesideItsSave.class,
                SavesVersioned.class);
        Class<?>[] all =
                Stream.concat(conditional.stream(), Stream.of(Sure.class)).toArray(Class<?>[]::new);
        with(all).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .containsOnlyOnce("draw is written by conditions (")
                    .contains("by sure writes (", "Fix: let conditions write columns that no sure write has");
            String said = output.toString();
            assertThat(conditional)
                    .allSatisfy(each -> assertThat(
                                    said.substring(said.indexOf("by conditions ("), said.indexOf("by sure writes (")))
                            .contains(each.getSimpleName() + "."));
        });
    }

    @Test
    void areNotWhereEachHasATableOfItsOwnOrIfIsNoCondition(CapturedOutput output) {
        with(OfTheOther.class, NoCondition.class, Sure.class)
                .run(context -> assertThat(context).hasNotFailed());
        with(UpdatesBesideItsSave.class, Plain.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("is written by conditions");
    }

    private static ApplicationContextRunner with(Class<?>... repositories) {
        return Arrays.stream(repositories)
                .reduce(application(), (all, one) -> OwnServer.with(one, all), (one, other) -> one);
    }

    /** A row. */
    @Table("draw")
    record Draw(@Id UUID id, String note) {}

    /** The same row, counted. */
    @Table("draw")
    record Versioned(@Id UUID id, String note, @Version Long version) {}

    /** Another row. */
    @Table("other")
    record Other(@Id UUID id, String note) {}

    interface Sure extends CassandraRepository<Draw, UUID> {

        @Override
        @Idempotent
        <S extends Draw> S save(S entity);
    }

    interface Plain extends CassandraRepository<Draw, UUID> {}

    interface UpdatesBesideItsSave extends CassandraRepository<Draw, UUID> {

        @Query("UPDATE draw SET note = ?1 WHERE id = ?0 IF note = ?2")
        boolean change(UUID id, String to, String from);
    }

    @UniqueBy("note")
    interface InsertsBesideUnique extends CassandraRepository<Draw, UUID> {

        @Query("INSERT INTO draw (id) VALUES (?0) IF NOT EXISTS")
        boolean begin(UUID id);
    }

    interface DeletesBesideItsSave extends CassandraRepository<Draw, UUID> {

        @Query("DELETE FROM draw WHERE id = ?0 IF EXISTS")
        boolean end(UUID id);
    }

    interface BatchBesideItsSave extends CassandraRepository<Draw, UUID> {

        @Query(
                "/* two */ BEGIN BATCH UPDATE draw SET note = 'a' WHERE id = ?0 IF EXISTS; UPDATE draw SET version = 1 WHERE id = ?0; APPLY BATCH")
        boolean both(UUID id);
    }

    interface SavesVersioned extends CassandraRepository<Versioned, UUID> {}

    interface OfTheOther extends CassandraRepository<Other, UUID> {

        @Query("UPDATE other SET note = ?1 WHERE id = ?0 IF EXISTS")
        boolean change(UUID id, String to);
    }

    interface NoCondition extends CassandraRepository<Draw, UUID> {

        @Query("UPDATE draw SET note = 'rerun if failed' WHERE id = ?0")
        void rerun(UUID id);
    }
}
