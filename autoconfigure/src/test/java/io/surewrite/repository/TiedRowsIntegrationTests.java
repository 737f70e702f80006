package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.write.WriteId;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/**
 * A row with a lock and a revision, taken by a condition with a time to live, and released by a plain write: the condition has
 * its timestamp from the server, in whole milliseconds, and the plain write may have the same one.
 */
class TiedRowsIntegrationTests extends CassandraTest {

    private static final int SECONDS = 2;
    private static final int MANY = 50;

    private static Locks locks;

    @BeforeAll
    static void start() {
        session.execute(
                "CREATE TABLE sure_lock (id text PRIMARY KEY, lock boolean, revision bigint, write_id uuid) WITH default_time_to_live = "
                        + SECONDS);
        locks = shared(List.of(), Application.class).getBean(Locks.class);
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

    @Table("sure_lock")
    record SureLock(
            @Id String id,
            boolean lock,
            @Version @Nullable Long revision,
            @WriteId @Column("write_id") @Nullable UUID writeId) {}

    @Idempotent(extendTtl = true)
    interface Locks extends CassandraRepository<SureLock, String> {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            excludeFilters = @Filter(type = FilterType.REGEX, pattern = "(?!.*TiedRowsIntegrationTests\\$).*"))
    static class Application {}
}
