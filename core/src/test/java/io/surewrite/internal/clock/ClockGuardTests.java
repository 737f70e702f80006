package io.surewrite.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.clock.ClockGuard.ClockCheck;
import io.surewrite.internal.clock.ClockGuard.ClockReport;
import io.surewrite.internal.clock.ClockGuard.ClockReport.ClockOffset;
import io.surewrite.test.ManualClock;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is measured, and what is made of it, by clocks that a test sets. */
class ClockGuardTests {

    private static final Duration MARGIN = Duration.ofMillis(500);
    private static final ClockGuard.Settings SETTINGS = new ClockGuard.Settings(MARGIN, Duration.ofSeconds(5));
    private static final long TEN_MINUTES = Duration.ofMinutes(10).toMillis();

    private final ManualClock trueTime = new ManualClock(-5);
    private final Nodes nodes = new Nodes();
    private final List<ClockReport> reports = new ArrayList<>();
    private long processAheadMillis;

    /** Not started, so that tests can put the clocks wrong first. */
    private final WriteTimestamps timestamps = new WriteTimestamps(this::wallMicros);

    private final ClockGuard guard = ClockGuard.of(timestamps);
    private final ClockCheck acquiring = guard.ofAcquiring();

    private long wallMicros() {
        return 1_700_000_000_000_000L + trueTime.nanos() / 1_000 + processAheadMillis * 1_000;
    }

    @Test
    void refusesTimestampsWhileTheProcessIsAheadOfTheMajority() {
        processAheadMillis = TEN_MINUTES;
        nodes.with("a", 0).with("b", 10).with("c", TEN_MINUTES);
        start();
        assertThatExceptionOfType(ClockOffsetException.class)
                .isThrownBy(timestamps::draw)
                .withMessage(
                        "Write: refused, and nothing was sent: the clock of this process is at least 599.984 s ahead"
                                + " of those of 2 of 3 nodes, and surewrite.clock.max-offset is 5 s. Fix: have NTP"
                                + " (chrony, systemd-timesyncd) set that clock right. It is measured again every few"
                                + " seconds");
        assertThat(timestamps.next()).as("left to the server").isEqualTo(Statement.NO_DEFAULT_TIMESTAMP);
        assertThat(timestamps.tick()).as("in the middle of a protocol").isPositive();
        assertThat(acquiring.problem()).contains("the clock of this process");
    }

    @Test
    void believesNoMinorityAboutTheProcess() {
        nodes.with("a", TEN_MINUTES).with("b", 0).with("c", 0);
        start();
        assertThat(timestamps.draw()).isPositive();
        assertThat(acquiring.problem())
                .contains("node a is at least 599.9")
                .contains("ahead")
                .endsWith(", and surewrite.clock.margin is 500 ms");
    }

    @Test
    void concludesNothingFromNodesThatDoNotAnswer() {
        processAheadMillis = TEN_MINUTES;
        nodes.with("a", 0).with("b", null).with("c", null);
        start();
        assertThat(timestamps.draw()).isPositive();
        assertThat(acquiring.problem()).as("known of one machine, though").isNotNull();
        assertThat(guard.report().isComplete()).isFalse();
        nodes.with("b", 0L);
        trueTime.advance(Duration.ofSeconds(6));
        assertThatThrownBy(timestamps::draw).hasMessageContaining("2 of 3 nodes");
    }

    @Test
    void keepsWhatIsKnownOfANodeThatDoesNotAnswer() {
        processAheadMillis = TEN_MINUTES;
        nodes.with("a", 0);
        start();
        nodes.with("a", null);
        trueTime.advance(Duration.ofMinutes(5));
        assertThatThrownBy(timestamps::draw).isInstanceOf(ClockOffsetException.class);
        processAheadMillis = 0;
        trueTime.advance(Duration.ofMillis(1_100));
        assertThat(timestamps.draw()).as("its own clock was set since").isPositive();
    }

    @Test
    void noticesWithinASecondThatItsOwnClockWasSet() {
        nodes.with("a", 0).with("b", 0);
        start();
        int asked = nodes.asked;
        trueTime.advance(Duration.ofSeconds(30));
        assertThat(nodes.asked).as("nothing is sent meanwhile").isEqualTo(asked);
        processAheadMillis = TEN_MINUTES;
        assertThat(acquiring.problem())
                .as("at once")
                .contains("was set, or its machine slept, and no node has answered");
        trueTime.advance(Duration.ofMillis(1_100));
        assertThatThrownBy(timestamps::draw).isInstanceOf(ClockOffsetException.class);
        processAheadMillis = 0;
        trueTime.advance(Duration.ofMillis(1_100));
        assertAllIsWell();
    }

    /** Or none answers soon: that could be right with a clock that is wrong. */
    @Test
    void acquiresNothingWhereItsClockWasSetAndNoNodeAnswers() {
        nodes.with("a", 0).with("b", 0);
        start();
        nodes.with("a", null).with("b", null);
        processAheadMillis = 1_000;
        trueTime.advance(Duration.ofSeconds(10));
        assertThat(acquiring.problem()).contains("no node has answered");
        nodes.with("b", 0L);
        nodes.beforeAnswer = () -> trueTime.freeze(Duration.ofMillis(600));
        trueTime.advance(Duration.ofSeconds(10));
        assertThat(acquiring.problem()).contains("no node has answered");
        nodes.beforeAnswer = () -> {};
        trueTime.advance(Duration.ofSeconds(10));
        assertThat(acquiring.problem()).contains("ahead of that of node b");
    }

    /** A machine that slept: the monotonic clock stood still, and the wall clock shows it. */
    @Test
    void doesNotTakeSleepForAWrongClock() {
        nodes.with("a", 0).with("b", 0);
        start();
        nodes.sleptNanos = Duration.ofHours(1).toNanos();
        trueTime.freeze(Duration.ofHours(1));
        trueTime.advance(Duration.ofMillis(1_100));
        assertAllIsWell();
        assertThat(guard.report().isComplete()).isTrue();
        assertThat(reports).allSatisfy(report -> assertThat(report.problems()).isEmpty());
    }

    @Test
    void startsOverWhenItsClockIsSetInTheMiddleOfAMeasurement() {
        nodes.with("a", 0).with("b", 0);
        nodes.beforeAnswer = () -> {
            nodes.beforeAnswer = () -> {};
            processAheadMillis = TEN_MINUTES;
        };
        start();
        trueTime.advance(Duration.ofSeconds(1));
        assertThatThrownBy(timestamps::draw).isInstanceOf(ClockOffsetException.class);
        assertThat(reports).hasSize(1);
    }

    @Test
    void judgesTheMarginFromWhenSomethingIsAcquired() {
        WriteTimestamps ofWrites = new WriteTimestamps(this::wallMicros);
        ClockGuard writesOnly = ClockGuard.of(ofWrites);
        nodes.with("a", TEN_MINUTES).with("b", 0);
        writesOnly.start(nodes, SETTINGS, reports::add);
        trueTime.advance(Duration.ofMillis(900));
        assertThat(writesOnly.report().problems()).isEmpty();
        ClockCheck late = writesOnly.ofAcquiring();
        assertThatThrownBy(() -> late.require("Lease 'x'"))
                .isInstanceOf(ClockOffsetException.class)
                .hasMessageStartingWith("Lease 'x': refused, and nothing was sent: the clock of node a");
        trueTime.advance(Duration.ofMillis(1_100));
        assertThat(reports.get(reports.size() - 1).problems()).containsKey("surewrite.clock.margin");
    }

    @Test
    void endsWithItsSession() {
        nodes.with("a", 0);
        start();
        nodes.closed = true;
        trueTime.advance(Duration.ofMinutes(1));
        assertThat(trueTime.waiting()).isZero();
    }

    /**
     * However long requests take, in whichever direction, and wherever the process is stopped in between: an offset below
     * the margin is never called wrong, and one beyond it never right.
     */
    @Test
    void isNeverMistaken() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int certain = 0;
        for (int i = 0; i < 20_000; i++) {
            long offset = random.nextLong(-2_000_000_000L, 2_000_000_000L);
            long before = random.nextLong(1_000_000_000_000L);
            long there = random.nextLong(700_000_000);
            long back = random.nextLong(700_000_000);
            long shownMillis = Math.floorDiv(before + there + offset, 1_000_000L);
            ClockOffset measured = ClockOffset.measured(shownMillis * 1_000_000, before, before + there + back);
            assertThat(offset).as("seed %d", seed).isBetween(measured.low(), measured.high());
            if (measured.isBeyond(MARGIN)) {
                certain++;
                assertThat(Math.abs(offset)).as("seed %d", seed).isGreaterThan(MARGIN.toNanos());
            }
        }
        assertThat(certain).isPositive();
    }

    private void start() {
        guard.start(nodes, SETTINGS, reports::add);
        trueTime.advance(Duration.ofMillis(900));
    }

    private void assertAllIsWell() {
        assertThat(guard.report().problems()).isEmpty();
        assertThat(acquiring.problem()).isNull();
        assertThat(timestamps.draw()).isPositive();
    }

    /** Nodes whose clocks are so many milliseconds ahead; one that does not answer has none. */
    private final class Nodes implements ClockGuard.NodeClocks {

        private final Map<String, @Nullable Long> ahead = new LinkedHashMap<>();
        private Runnable beforeAnswer = () -> {};
        private long sleptNanos;
        private boolean closed;
        private int asked;

        private Nodes with(String name, @Nullable Long millis) {
            ahead.put(name, millis);
            return this;
        }

        private Nodes with(String name, long millis) {
            return with(name, Long.valueOf(millis));
        }

        @Override
        public Map<String, Supplier<CompletionStage<Long>>> nodes() {
            return ahead.keySet().stream().collect(Collectors.toMap(node -> node, node -> () -> millisOf(node)));
        }

        private CompletionStage<Long> millisOf(String node) {
            asked++;
            CompletableFuture<Long> answer = new CompletableFuture<>();
            Long millis = ahead.get(node);
            trueTime.after(Duration.ofMillis(6).toNanos(), () -> {
                beforeAnswer.run();
                if (millis == null) {
                    answer.completeExceptionally(new IllegalStateException("no answer"));
                } else {
                    answer.complete(
                            Math.floorDiv(1_700_000_000_000_000L + trueTime.nanos() / 1_000 + millis * 1_000, 1_000L));
                }
            });
            return answer;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public long nanos() {
            return trueTime.nanos() - sleptNanos;
        }

        @Override
        public long wallMicros() {
            return ClockGuardTests.this.wallMicros();
        }

        @Override
        public void after(long nanos, Runnable task) {
            trueTime.after(nanos, task);
        }
    }
}
