package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.surewrite.lease.InMemoryLeases;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseAssert;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.lease.LeaseLocks.OnLoss;
import io.surewrite.lease.LeaseLostException;
import io.surewrite.lease.LeaseNotAcquiredException;
import io.surewrite.lease.LeaseUnavailableException;
import io.surewrite.lease.WithLease;
import io.surewrite.lease.WithLease.WhenHeld;
import io.surewrite.write.InvalidConfigurationException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

@Timeout(60)
class WithLeaseTests {

    private final InMemoryLeases table = new InMemoryLeases();
    private final CloseableLeaseLocks locks = table.process();
    private final LeaseLocks other = table.process();

    @AfterEach
    void close() {
        locks.close();
        table.close();
    }

    @Test
    void runsAMethodUnderTheLeaseOfItsKey() {
        try (GenericApplicationContext context = context(Items.class)) {
            Items items = context.getBean(Items.class);
            assertThat(items.change(7, other)).isEqualTo("item:7 held, others: false");
            assertThat(other.tryAcquire("item:7")).isPresent();
        }
    }

    @Test
    void seesTheBeanAndPlaceholdersInItsAnnotation() {
        try (GenericApplicationContext context = context(Items.class)) {
            assertThat(context.getBean(Items.class).nameOfBean()).isEqualTo("items");
        }
    }

    @Test
    void skipsQuietlyWhatAnotherRuns() throws Exception {
        try (GenericApplicationContext context = context(Scheduled.class)) {
            Scheduled job = context.getBean(Scheduled.class);
            try (Lease lease = other.tryAcquire("job").orElseThrow()) {
                assertThat(lease.isHeld()).isTrue();
                job.run(other);
                assertThat(job.runs()).isZero();
            }
            job.run(other);
            assertThat(job.runs()).isEqualTo(1);
            try (Lease inner = other.tryAcquire("inner").orElseThrow()) {
                assertThat(inner.isHeld()).isTrue();
                assertThatExceptionOfType(LeaseNotAcquiredException.class)
                        .as("what the method itself throws")
                        .isThrownBy(() -> job.run(other));
            }
        }
    }

    @Test
    void doesNotSkipInAnOutage() {
        try (GenericApplicationContext context = context(Scheduled.class)) {
            table.fallSilent();
            assertThatExceptionOfType(LeaseUnavailableException.class)
                    .isThrownBy(() -> context.getBean(Scheduled.class).run(other));
        }
    }

    /** Two processes whose clocks differ by less than what the lease is held at least. */
    @Test
    void runsATickOnceThoughAnotherProcessComesLater() throws Exception {
        try (GenericApplicationContext mine = context(Tick.class);
                GenericApplicationContext theirs = context(Tick.class, other)) {
            mine.getBean(Tick.class).run();
            Thread.sleep(64);
            theirs.getBean(Tick.class).run();
            mine.getBean(Tick.class).run();
            assertThat(mine.getBean(Tick.class).runs()
                            + theirs.getBean(Tick.class).runs())
                    .isEqualTo(1);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> theirs.getBean(Tick.class).fail());
            assertThatExceptionOfType(LeaseNotAcquiredException.class)
                    .as("also when it has failed")
                    .isThrownBy(() -> mine.getBean(Tick.class).fail());
            mine.getBean(Tick.class).placed();
            assertThat(table.remaining("placed")).isPositive();
        }
    }

    /** Schedulers print what they get, at every tick. */
    @Test
    void hasOneStackTraceForSchedulersAndOneForEveryOtherCaller() {
        try (GenericApplicationContext context = context(Scheduled.class);
                GenericApplicationContext items = context(Items.class)) {
            Scheduled job = context.getBean(Scheduled.class);
            table.fallSilent();
            assertThat(List.of(outage(job::cron), outage(job::cron), outage(() -> job.run(other))))
                    .as("of a method that skips, anybody may be the caller")
                    .extracting(failure -> failure.getStackTrace().length > 0)
                    .containsExactly(true, false, true);
            for (int i = 0; i < 2; i++) {
                LeaseUnavailableException failure =
                        outage(() -> items.getBean(Items.class).change(7, other));
                assertThat(failure.getStackTrace()).isNotEmpty();
                assertThat(failure.getCause() instanceof LeaseUnavailableException)
                        .isFalse();
            }
        }
    }

    private static LeaseUnavailableException outage(ThrowingCallable call) {
        Throwable failure = catchThrowable(call);
        assertThat(failure).isInstanceOf(LeaseUnavailableException.class).hasMessageContaining("could not be decided");
        return (LeaseUnavailableException) failure;
    }

    @Test
    void interruptsAMethodWhoseLeaseIsLostUnlessToldOtherwise() {
        try (GenericApplicationContext context = context(Items.class)) {
            Items items = context.getBean(Items.class);
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> items.lose(table));
            assertThat(items.loseAndFinish(table)).isEqualTo("finished");
        }
    }

    @Test
    void refusesANullKeyWhenCalled() {
        try (GenericApplicationContext context = context(Items.class)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> context.getBean(Items.class).keyed(null))
                    .withMessageContaining("#key");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> context.getBean(Items.class).keyed(new Object()))
                    .withMessageContaining("\"#key\" of @WithLease on")
                    .withMessageContaining("no text of its own");
        }
    }

    @Test
    void refusesAtTheStartWhatCannotWork() {
        refused("badTtl", "whole seconds");
        refused("badKey", "EL1");
        refused("skippedAnswer", "a call that is skipped has no int to return");
        refused("later", "released before the CompletionStage is done");
    }

    @Test
    void refusesAtTheStartAKeyThatNoCallCouldHave() {
        refused("subtraction", "Fix: write @WithLease(\"remove-not-activated\")");
        refused("forgotten", "has 'id', which no call has: there are #root.target and the arguments [#id]");
        refused("noArgument", "has '#name', which no call has");
        refused("noMethod", "has 'name()', which no call has");
        refused("noBean", "has '@items', which no call has");
        refused("noType", "no.such.Type");
        refused("nothing", "must not be null");
        refused("unnamed", "it names no lease");
        refused("both", "it has a name and a key");
        refused("quoted", "reads as an expression");
    }

    @Test
    void acceptsWhatSeesElementsOfAnArgument() {
        try (GenericApplicationContext context = context(Nested.class)) {
            assertThat(context.getBean(Nested.class).first(List.of("no", "yes")))
                    .isEqualTo("yes:3");
        }
    }

    private void refused(String method, String reason) {
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> context(Wrong.class).close())
                .satisfies(all -> assertThat(all.refusals())
                        .extracting(Throwable::getMessage)
                        .anySatisfy(refusal -> assertThat(refusal)
                                .startsWith("@WithLease on Wrong.")
                                .contains("Wrong." + method, reason)));
    }

    private GenericApplicationContext context(Class<?> bean) {
        return context(bean, locks);
    }

    private GenericApplicationContext context(Class<?> bean, LeaseLocks its) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        Refusals refusals = new Refusals();
        context.registerBean(Refusals.class, () -> refusals);
        context.getBeanFactory().addEmbeddedValueResolver(text -> text.replace("${ttl}", "4s"));
        LeasedMethod.OfBeans processor = new LeasedMethod.OfBeans(() -> its, refusals);
        processor.setProxyTargetClass(true);
        processor.setBeanFactory(context.getBeanFactory());
        context.getBeanFactory().addBeanPostProcessor(processor);
        context.register(bean);
        context.refresh();
        return context;
    }

    static class Items {

        @WithLease(key = "'item:' + #id")
        String change(long id, LeaseLocks others) {
            Lease lease = LeaseAssert.assertHeld("item:" + id);
            return "%s held, others: %s"
                    .formatted(lease.name(), others.tryAcquire(lease.name()).isPresent());
        }

        @WithLease(key = "#root.target.name()", ttl = "${ttl}", waitAtMost = "1s")
        String nameOfBean() {
            return LeaseAssert.assertHeld().name();
        }

        public String name() {
            return "items";
        }

        @WithLease(key = "#key")
        void keyed(Object key) {
            throw new AssertionError("must not run for " + key);
        }

        @WithLease(key = "'lost'")
        void lose(InMemoryLeases table) throws InterruptedException {
            table.clear("lost");
            Thread.sleep(20_000);
        }

        @WithLease(key = "'lost'", onLoss = OnLoss.LET_FINISH)
        String loseAndFinish(InMemoryLeases table) {
            table.clear("lost");
            LeaseAssert.assertHeld().renew();
            return "finished";
        }
    }

    static class Scheduled {

        private int runs;

        @WithLease(key = "'job'", whenHeld = WhenHeld.SKIP)
        void run(LeaseLocks others) throws InterruptedException {
            runs++;
            others.acquire("inner", Duration.ZERO).close();
        }

        @WithLease("cron")
        @org.springframework.scheduling.annotation.Scheduled(cron = "@daily")
        void cron() {
            throw new AssertionError("must not run");
        }

        int runs() {
            return runs;
        }
    }

    static class Tick {

        private int runs;

        @WithLease(value = "tick", whenHeld = WhenHeld.SKIP, holdAtLeast = "1m")
        void run() {
            runs++;
        }

        @WithLease(value = "fails", holdAtLeast = "1m")
        void fail() throws IOException {
            throw new IOException("broken");
        }

        @WithLease(value = "placed", holdAtLeast = "${ttl}")
        void placed() {}

        int runs() {
            return runs;
        }
    }

    static class Nested {
        @WithLease(key = "#words.?[length() > 2][0] + ':' + #words[1].length().toString().trim()")
        String first(List<String> words) {
            return LeaseAssert.assertHeld().name();
        }
    }

    static class Wrong {
        @WithLease(key = "'x'", ttl = "2500ms")
        void badTtl() {}

        @WithLease(key = "'x")
        void badKey() {}

        @WithLease(key = "'x'", whenHeld = WhenHeld.SKIP)
        int skippedAnswer() {
            return 1;
        }

        @WithLease(key = "'x'")
        CompletionStage<String> later() {
            return CompletableFuture.completedStage("");
        }

        @WithLease(key = "remove-not-activated")
        void subtraction() {}

        @WithLease(key = "'item:' + id")
        void forgotten(long id) {}

        @WithLease(key = "'item:' + #name.trim()")
        void noArgument(long id) {}

        @WithLease(key = "name()")
        void noMethod() {}

        @WithLease(key = "@items.name()")
        void noBean() {}

        @WithLease(key = "T(no.such.Type).NAME")
        void noType() {}

        @WithLease(key = "null")
        void nothing() {}

        @WithLease(ttl = "4s")
        void unnamed() {}

        @WithLease(value = "x", key = "'x'")
        void both() {}

        @WithLease("'x'")
        void quoted() {}
    }
}
