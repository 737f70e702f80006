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
import java.util.ArrayList;
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
    private final List<GenericApplicationContext> contexts = new ArrayList<>();

    @AfterEach
    void close() {
        contexts.forEach(GenericApplicationContext::close);
        locks.close();
        table.close();
    }

    @Test
    void runsAMethodUnderTheLeaseOfItsKey() {
        Items items = bean(Items.class);
        assertThat(items.change(7, other)).isEqualTo("item:7 held, others: false");
        assertThat(other.tryAcquire("item:7")).isPresent();
    }

    @Test
    void seesTheBeanAndPlaceholdersInItsAnnotation() {
        assertThat(bean(Items.class).nameOfBean()).isEqualTo("items");
    }

    @Test
    void skipsQuietlyWhatAnotherRuns() throws Exception {
        Scheduled job = bean(Scheduled.class);
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

    @Test
    void doesNotSkipInAnOutage() {
        table.fallSilent();
        assertThatExceptionOfType(LeaseUnavailableException.class)
                .isThrownBy(() -> bean(Scheduled.class).run(other));
    }

    /** Two processes whose clocks differ by less than what the lease is held at least. */
    @Test
    void runsATickOnceThoughAnotherProcessComesLater() throws Exception {
        Tick mine = bean(Tick.class);
        Tick theirs = bean(Tick.class, other);
        mine.run();
        Thread.sleep(64);
        theirs.run();
        mine.run();
        assertThat(mine.runs() + theirs.runs()).isEqualTo(1);
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> theirs.fail());
        assertThatExceptionOfType(LeaseNotAcquiredException.class)
                .as("also when it has failed")
                .isThrownBy(() -> mine.fail());
        mine.placed();
        assertThat(table.remaining("placed")).isPositive();
    }

    /** Schedulers print what they get, at every tick. */
    @Test
    void hasOneStackTraceForSchedulersAndOneForEveryOtherCaller() {
        Items items = bean(Items.class);
        Scheduled job = bean(Scheduled.class);
        table.fallSilent();
        assertThat(List.of(outage(job::cron), outage(job::cron), outage(() -> job.run(other))))
                .as("of a method that skips, anybody may be the caller")
                .extracting(failure -> failure.getStackTrace().length > 0)
                .containsExactly(true, false, true);
        for (int i = 0; i < 2; i++) {
            LeaseUnavailableException failure = outage(() -> items.change(7, other));
            assertThat(failure.getStackTrace()).isNotEmpty();
            assertThat(failure.getCause() instanceof LeaseUnavailableException).isFalse();
        }
    }

    private static LeaseUnavailableException outage(ThrowingCallable call) {
        Throwable failure = catchThrowable(call);
        assertThat(failure).isInstanceOf(LeaseUnavailableException.class).hasMessageContaining("could not be decided");
        return (LeaseUnavailableException) failure;
    }

    @Test
    void interruptsAMethodWhoseLeaseIsLostUnlessToldOtherwise() {
        Items items = bean(Items.class);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> items.lose(table));
        assertThat(items.loseAndFinish(table)).isEqualTo("finished");
    }

    @Test
    void refusesANullKeyWhenCalled() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bean(Items.class).keyed(null))
                .withMessageContaining("#key");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bean(Items.class).keyed(new Object()))
                .withMessageContaining("\"#key\" of @WithLease on")
                .withMessageContaining("no text of its own");
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
        assertThat(bean(Nested.class).first(List.of("no", "yes"))).isEqualTo("yes:3");
    }

    private void refused(String method, String reason) {
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> bean(Wrong.class))
                .satisfies(all -> assertThat(all.refusals())
                        .extracting(Throwable::getMessage)
                        .anySatisfy(refusal -> assertThat(refusal)
                                .startsWith("@WithLease on Wrong.")
                                .contains("Wrong." + method, reason)));
    }

    private <T> T bean(Class<T> type) {
        return bean(type, locks);
    }

    private <T> T bean(Class<T> type, LeaseLocks its) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        contexts.add(context);
        Refusals refusals = new Refusals();
        context.registerBean(Refusals.class, () -> refusals);
        context.getBeanFactory().addEmbeddedValueResolver(text -> text.replace("${ttl}", "4s"));
        LeasedMethod.OfBeans processor = new LeasedMethod.OfBeans(() -> its, refusals);
        processor.setProxyTargetClass(true);
        processor.setBeanFactory(context.getBeanFactory());
        context.getBeanFactory().addBeanPostProcessor(processor);
        context.register(type);
        context.refresh();
        return context.getBean(type);
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
