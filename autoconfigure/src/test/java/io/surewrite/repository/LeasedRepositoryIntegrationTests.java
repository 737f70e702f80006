package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** {@code @Idempotent} and {@code @WithLease} on one method of a repository: the write begins under the lease. */
class LeasedRepositoryIntegrationTests extends CassandraTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE leased_note (id text PRIMARY KEY, body text)");
    }

    @Test
    void drawsTheTimestampUnderTheLease() {
        application()
                .withUserConfiguration(App.class)
                .withPropertyValues("surewrite.schema.initialize=always")
                .run(LeasedRepositoryIntegrationTests::writesAfterARival);
    }

    private static void writesAfterARival(ApplicationContext context) throws Exception {
        LeasedNotes notes = context.getBean(LeasedNotes.class);
        try (Lease rival = context.getBean(LeaseLocks.class).tryAcquire("a").orElseThrow()) {
            CompletableFuture<Void> saved = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    notes.save(new LeasedNote("a", "x"));
                    saved.complete(null);
                } catch (Throwable failure) {
                    saved.completeExceptionally(failure);
                }
            });
            thread.start();
            await().atMost(PATIENCE).until(() -> waitsForALease(thread));
            assertThat(saved).isNotDone();
            long beforeTheLease =
                    WriteTimestamps.of(context.getBean(CqlSession.class)).tick();
            rival.release();
            saved.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(session.execute("SELECT writetime(body) FROM leased_note WHERE id = 'a'")
                            .one()
                            .getLong(0))
                    .isGreaterThan(beforeTheLease);
        }
    }

    private static boolean waitsForALease(Thread thread) {
        return Arrays.toString(thread.getStackTrace()).contains(LeaseLocks.class.getPackageName())
                && thread.getState() != Thread.State.RUNNABLE;
    }

    @Table("leased_note")
    record LeasedNote(@Id String id, String body) {}

    interface LeasedNotes extends CassandraRepository<LeasedNote, String> {

        @Override
        @Idempotent
        @WithLease(key = "#note.id", waitAtMost = "60s")
        <S extends LeasedNote> S save(S note);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            excludeFilters = @Filter(type = FilterType.REGEX, pattern = "(?!.*LeasedRepositoryIntegrationTests\\$).*"))
    static class App {}
}
