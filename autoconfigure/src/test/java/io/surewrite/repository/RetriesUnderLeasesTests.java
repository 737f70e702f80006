package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.surewrite.lease.InMemoryLeases;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseAssert;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.lease.LeaseLostException;
import io.surewrite.lease.WithLease;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.test.util.AopTestUtils;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** {@code @Idempotent} and {@code @WithLease} on one method of a bean: the write begins under the lease. */
@Timeout(60)
class RetriesUnderLeasesTests {

    private final WriteTimestamps timestamps = new WriteTimestamps(Clock.systemUTC());
    private final InMemoryLeases table = new InMemoryLeases();
    private final CloseableLeaseLocks locks = table.process(timestamps);
    private final CloseableLeaseLocks others = table.process(timestamps);

    @AfterEach
    void close() {
        table.close();
    }

    @Test
    void drawsTheTimestampUnderTheLeaseAndKeepsItOverAllAttempts() {
        application(Items.class).run(context -> {
            Items proxy = context.getBean(Items.class);
            Items items = AopTestUtils.getUltimateTargetObject(proxy);
            Lease rival = others.tryAcquire("item").orElseThrow();
            CompletableFuture<Void> call = CompletableFuture.runAsync(proxy::append);
            assertThat(items.asks.await(30, TimeUnit.SECONDS)).isTrue();
            long beforeTheLease = timestamps.tick();
            rival.release();
            call.join();
            assertThat(items.tokens).hasSize(3).containsOnly(items.tokens.get(0));
            assertThat(items.drawn).hasSize(3).containsOnly(items.drawn.get(0));
            assertThat(items.drawn.get(0)).isGreaterThan(beforeTheLease);
        });
    }

    /** The argument comes from a thread that holds nothing. */
    @Test
    void stayUnderTheSubscribersLeaseUntilTheirArgumentIsThere() {
        application(Reactive.class).run(context -> {
            Reactive items = context.getBean(Reactive.class);
            try (Lease lease = locks.tryAcquire("item").orElseThrow()) {
                Mono<String> held = Mono.fromCallable(lease::name).subscribeOn(Schedulers.boundedElastic());
                assertThat(items.append(held).block(Duration.ofSeconds(30))).isEqualTo("item");
                Mono<String> lost = Mono.fromCallable(() -> {
                            lease.release();
                            return lease.name();
                        })
                        .subscribeOn(Schedulers.boundedElastic());
                assertThatExceptionOfType(LeaseLostException.class)
                        .isThrownBy(() -> items.append(lost).block(Duration.ofSeconds(30)));
            }
        });
    }

    @Test
    void refusesToKeepWritesUnderALease() {
        application(Kept.class)
                .run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(
                                Objects.requireNonNull(context.getStartupFailure())))
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContaining("@WithLease")
                        .hasMessageContaining("after writes of other holders"));
    }

    private ApplicationContextRunner application(Class<?> bean) {
        return new ApplicationContextRunner()
                .withInitializer(context -> {
                    GenericApplicationContext beans = (GenericApplicationContext) context;
                    beans.registerBean(
                            LeasedMethod.OfBeans.class,
                            () -> new LeasedMethod.OfBeans(() -> locks, beans.getBean(Refusals.class)));
                })
                .withUserConfiguration(IdempotentBeanTests.Retry.class)
                .withBean(WriteTimestamps.class, () -> timestamps)
                .withBean(bean);
    }

    static class Items {

        final CountDownLatch asks = new CountDownLatch(1);
        final List<Long> tokens = new CopyOnWriteArrayList<>();
        final List<Long> drawn = new CopyOnWriteArrayList<>();

        public Object getAsks() {
            asks.countDown();
            return "item";
        }

        /** The key is looked at just before the lease is asked for. */
        @Idempotent
        @WithLease(key = "#root.target.asks", waitAtMost = "30s")
        public void append() {
            tokens.add(LeaseAssert.assertHeld().token());
            drawn.add(Objects.requireNonNull(WriteScope.current()).timestamp());
            if (drawn.size() < 3) {
                throw new DriverTimeoutException("the answer is lost");
            }
        }
    }

    static class Reactive {

        @Idempotent
        public Mono<String> append(Mono<String> text) {
            return text;
        }
    }

    static class Kept {

        @WithLease(key = "'kept'")
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        public void run() {}
    }
}
