package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseNotAcquiredException;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.LeaseUnavailableException;
import io.surewrite.lease.WithLease;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.ObservedMeters;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** What an application hears of names that no process ever held while its database is stopped. */
@Isolated("stops the server")
@Timeout(120)
class LeasesInAnOutageIntegrationTests extends CassandraTest {

    private static final Duration ATTEMPT = Duration.ofMillis(500);
    private static final Duration WAIT = Duration.ofMillis(300);

    @Test
    void anOutageIsNotHeldByAnother() {
        application()
                .withBean(Job.class)
                .withUserConfiguration(ObservedMeters.class)
                .withPropertyValues("surewrite.conditional.attempt-timeout=" + ATTEMPT.toMillis() + "ms")
                .run(context -> {
                    LeaseLocks locks = context.getBean(LeaseLocks.class);
                    Job job = context.getBean(Job.class);
                    LockProvider shedLock = context.getBean(LockProvider.class);
                    job.run();
                    try (Lease held = locks.acquire("held", WAIT)) {
                        keyspace.server().pause();
                        try {
                            unavailable("a", WAIT, () -> locks.acquire("a", WAIT));
                            unavailable("b", WAIT, () -> locks.tryAcquire(LeaseRequest.of("b"), WAIT));
                            unavailable("c", Duration.ZERO, () -> locks.tryAcquire("c"));
                            unavailable("job", WAIT, job::run);
                            unavailable(
                                    "shedlock:d",
                                    Duration.ZERO,
                                    () -> shedLock.lock(new LockConfiguration(
                                            Instant.now(), "d", Duration.ofMinutes(1), Duration.ZERO)));
                            assertThat(locks.tryAcquireAsync(LeaseRequest.of("e"), WAIT))
                                    .failsWithin(5, TimeUnit.SECONDS)
                                    .withThrowableThat()
                                    .withCauseInstanceOf(LeaseUnavailableException.class);
                            assertThatExceptionOfType(LeaseNotAcquiredException.class)
                                    .as("this process itself holds it")
                                    .isThrownBy(() -> locks.acquire("held", Duration.ofMillis(10)))
                                    .withMessageContaining(
                                            "'%s' holds it",
                                            ManagementFactory.getRuntimeMXBean().getName());
                        } finally {
                            keyspace.server().resume();
                        }
                        assertThat(held.isHeld()).isTrue();
                        MeterRegistry meters = context.getBean(MeterRegistry.class);
                        assertThat(acquisitions(meters, "unavailable")).isEqualTo(6);
                        assertThat(acquisitions(meters, "refused")).isEqualTo(1);
                    }
                    job.run();
                    assertThat(job.runs()).isEqualTo(2);
                });
    }

    @Test
    void saysWhatTheClusterRefuses() {
        application().withPropertyValues("surewrite.schema.table-prefix=gone_").run(context -> {
            LeaseLocks locks = context.getBean(LeaseLocks.class);
            session.execute("DROP TABLE gone_lease");
            assertThatExceptionOfType(LeaseUnavailableException.class)
                    .isThrownBy(() -> locks.acquire("a", Duration.ZERO))
                    .withMessageContaining("'a' could not be decided: the cluster refuses the statement: ")
                    .withMessageContaining("gone_lease");
            assertThat(context.getBean("leasesHealthIndicator", HealthIndicator.class)
                            .health()
                            .getStatus())
                    .isEqualTo(Status.DOWN);
        });
    }

    /** In the time that the wait and one attempt take, and a little for a busy machine. */
    private static void unavailable(String name, Duration wait, ThrowingCallable call) {
        long start = System.nanoTime();
        assertThatExceptionOfType(LeaseUnavailableException.class)
                .isThrownBy(call)
                .withMessageContaining("'%s' could not be decided", name);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(wait, wait.plus(ATTEMPT).plusSeconds(1));
    }

    private static long acquisitions(MeterRegistry meters, String outcome) {
        return meters.get("surewrite.lease.acquire")
                .tag("outcome", outcome)
                .timer()
                .count();
    }

    static class Job {

        private int runs;

        public int runs() {
            return runs;
        }

        @WithLease(key = "'job'", waitAtMost = "300ms")
        public void run() {
            runs++;
        }
    }
}
