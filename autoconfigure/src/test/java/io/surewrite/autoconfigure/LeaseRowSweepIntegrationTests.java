package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.surewrite.actuate.SurewriteMeters;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.tenure.LeaseSweep;
import io.surewrite.test.CassandraTest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Rows of leases go away in the background, where that is asked for and every process knows of it. */
@ExtendWith(OutputCaptureExtension.class)
class LeaseRowSweepIntegrationTests extends CassandraTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration RETENTION = Duration.ofDays(1);

    @Test
    void removesOldRowsOnceEveryProcessKnowsOfIt(CapturedOutput output) {
        application()
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues("surewrite.lease.sweep.enabled=true")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(BackgroundSweep.class);
                    LeaseLocks locks = context.getBean(LeaseLocks.class);
                    assertThat(output)
                            .contains("The sweep of lease rows begins in PT2M")
                            .as("it holds at once")
                            .doesNotContain("The order of writes under leases");
                    try (Lease young = locks.tryAcquire("young").orElseThrow()) {
                        assertThat(young.isHeld()).isTrue();
                    }
                    long old = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis())
                            - 2 * TimeUnit.NANOSECONDS.toMicros(RETENTION.toNanos());
                    session.execute(SimpleStatement.newInstance(
                            "INSERT INTO surewrite_lease (name, epoch) VALUES ('old', 7) USING TIMESTAMP ?", old));

                    LeaseSweep sweep = LeaseSweep.of(
                            session,
                            context.getBean(ConditionalWrites.class),
                            "surewrite_lease",
                            RETENTION,
                            Duration.ofSeconds(30),
                            context.getBean(SurewriteMeters.class));
                    AtomicBoolean known = new AtomicBoolean();
                    AtomicInteger asked = new AtomicInteger();
                    BackgroundSweep background = BackgroundSweep.ofLeaseRows(
                            sweep,
                            () -> {
                                asked.incrementAndGet();
                                return known.get();
                            },
                            context.getBeanProvider(LeaseLocks.class),
                            Duration.ofSeconds(1));
                    background.start();
                    try {
                        Awaitility.await().atMost(PATIENCE).until(() -> asked.get() > 2);
                        assertThat(locks.inspect("old")).isPresent();
                        known.set(true);
                        Awaitility.await()
                                .atMost(PATIENCE)
                                .until(() -> locks.inspect("old").isEmpty());
                    } finally {
                        background.stop();
                    }
                    assertThat(locks.inspect("young")).isPresent();
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("surewrite.lease.swept")
                                    .counter()
                                    .count())
                            .isEqualTo(1);
                    try (Lease again = locks.tryAcquire("old").orElseThrow()) {
                        assertThat(again.token()).isGreaterThan(7);
                    }
                });
    }
}
