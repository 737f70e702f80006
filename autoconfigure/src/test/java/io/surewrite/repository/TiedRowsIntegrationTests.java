package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.write.WriteId;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.UpdateOptions;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/**
 * A row with a lock and a revision, taken by a condition with a time to live, and released by a plain write: the condition has
 * its timestamp from the server, in whole milliseconds, and the plain write may have the same one.
 */
class TiedRowsIntegrationTests extends CassandraTest {

    private static final int SECONDS = 2;
    private static final int MANY = 50;

    private static CassandraTemplate template;
    private static Locks locks;

    @BeforeAll
    static void start() {
        session.execute("CREATE TABLE plain_lock (id text PRIMARY KEY, lock boolean, revision bigint)");
        session.execute(
                "CREATE TABLE sure_lock (id text PRIMARY KEY, lock boolean, revision bigint, write_id uuid) WITH default_time_to_live = "
                        + SECONDS);
        var application = shared(List.of(), Application.class);
        template = application.getBean(CassandraTemplate.class);
        locks = application.getBean(Locks.class);
    }

    /** Where one of two has a time to live, Cassandra prefers it, column by column: the row stays locked. */
    @Test
    void aReleaseInTheMomentOfAConditionIsLost() {
        take("Ann", SECONDS);
        release("Ann");
        assertThat(shown("plain_lock", "Ann")).isEqualTo("true 1");
    }

    /** Where none has, the larger value wins, column by column. */
    @Test
    void aReleaseInTheMomentOfAConditionMakesAMixThatNobodyWrote() {
        take("Bob", 0);
        release("Bob");
        assertThat(shown("plain_lock", "Bob")).isEqualTo("true 2");
    }

    @Test
    void halfOfARowExpiresOfWhichAPlainWriteHasWrittenTheOther() {
        take("Tom", SECONDS);
        session.execute("UPDATE plain_lock SET revision = 2 WHERE id = 'Tom'");
        await().until(() -> "null 2".equals(shown("plain_lock", "Tom")));
    }

    private static void take(String id, int ttl) {
        InsertOptions options =
                InsertOptions.builder().withIfNotExists().ttl(ttl).build();
        assertThat(template.insert(new PlainLock(id, true, 1), options).wasApplied())
                .isTrue();
    }

    /** By a client whose clock shows the moment in which the row was taken. */
    private static void release(String id) {
        long taken = session.execute("SELECT writetime(lock) FROM plain_lock WHERE id = ?", id)
                .one()
                .getLong(0);
        template.update(
                new PlainLock(id, false, 2),
                UpdateOptions.builder().timestamp(taken).build());
    }

    @Test
    void oursAreOneAfterTheOtherAndExpireAsAWhole() {
        IntStream.range(0, MANY).forEach(n -> {
            SureLock taken = locks.save(new SureLock("Tom" + n, true, null, null));
            SureLock released = locks.save(new SureLock(taken.id(), false, taken.revision(), null));
            assertThat(released.revision()).isEqualTo(1);
            Row row = session.execute(
                            "SELECT lock, revision, writetime(lock), writetime(revision), writetime(write_id) FROM sure_lock WHERE id = ?",
                            taken.id())
                    .one();
            assertThat(row.getBoolean(0)).isFalse();
            assertThat(row.getLong(1)).isEqualTo(1);
            assertThat(row.getLong(2)).isEqualTo(row.getLong(3)).isEqualTo(row.getLong(4));
        });
        String last = "Tom" + (MANY - 1);
        await().pollDelay(Duration.ofMillis(20)).until(() -> {
            String row = shown("sure_lock", last);
            assertThat(row).isIn("false 1", null);
            return row == null;
        });
    }

    private static @Nullable String shown(String table, String id) {
        Row row = session.execute("SELECT lock, revision FROM " + table + " WHERE id = ?", id)
                .one();
        return row == null ? null : row.getObject("lock") + " " + row.getObject("revision");
    }

    @Table("plain_lock")
    record PlainLock(@Id String id, boolean lock, long revision) {}

    @Table("sure_lock")
    record SureLock(
            @Id String id,
            boolean lock,
            @Version @Nullable Long revision,
            @WriteId @Column("write_id") @Nullable UUID writeId) {}

    @Idempotent(extendTtl = true)
    interface Locks extends CassandraRepository<SureLock, String> {}

    @OwnRepositories
    static class Application {}
}
