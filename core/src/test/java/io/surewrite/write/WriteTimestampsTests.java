package io.surewrite.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.time.TimestampGenerator;
import io.surewrite.StubCassandra;
import io.surewrite.write.WriteTimestamps.ClockWatch;
import java.time.Clock;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WriteTimestampsTests {

    @Test
    void growsWhileTheClockStandsStillOrStepsBack() {
        AtomicLong clock = new AtomicLong(100);
        WriteTimestamps timestamps = new WriteTimestamps(clock::get);
        assertThat(timestamps.next()).isEqualTo(100);
        assertThat(timestamps.next()).isEqualTo(101);
        clock.set(50);
        assertThat(timestamps.next()).isEqualTo(102);
        clock.set(200);
        assertThat(timestamps.next()).isEqualTo(200);
    }

    @Test
    void sharesNoneAmongThreads() {
        WriteTimestamps timestamps = new WriteTimestamps(Clock.systemUTC());
        Set<Long> taken = ConcurrentHashMap.newKeySet();
        Set<Long> twice = new HashSet<>();
        IntStream.range(0, 40_000).parallel().forEach(i -> {
            if (i % 2 == 0) {
                record(taken, twice, timestamps.next());
            } else {
                long later = timestamps.draw();
                record(taken, twice, later);
                record(taken, twice, later - 1);
            }
        });
        assertThat(twice).isEmpty();
        assertThat(taken).hasSize(60_000);
    }

    @Test
    void ofTwoSessionsOfOneProcessTheLaterOneWins() {
        try (StubCassandra cassandra = new StubCassandra(1);
                CqlSession one = cassandra.session();
                CqlSession other = cassandra.session()) {
            WriteTimestamps ofOne = WriteTimestamps.of(one);
            WriteTimestamps ofOther = WriteTimestamps.of(other);
            assertThat(ofOne).isNotSameAs(ofOther);
            long ahead = 0;
            for (int i = 0; i < 200_000; i++) { // faster than the clock
                ahead = ofOne.next();
            }
            assertThat(ofOther.next()).isGreaterThan(ahead);
        }
    }

    @Test
    void liesAboveWhatTheDriversOwnGeneratorHasGiven() {
        try (StubCassandra cassandra = new StubCassandra(1);
                CqlSession plain = cassandra.plainSession(config -> config)) {
            TimestampGenerator drivers = plain.getContext().getTimestampGenerator();
            assertThat(drivers).isNotInstanceOf(WriteTimestamps.class);
            long ahead = 0;
            for (int i = 0; i < 200_000; i++) { // faster than the clock
                ahead = drivers.next();
            }
            assertThat(WriteTimestamps.of(plain).next()).isGreaterThan(ahead);
        }
    }

    @Test
    void liesAboveWhatAnotherProcessHasDrawn() {
        WriteTimestamps timestamps = new WriteTimestamps(() -> 100);
        assertThat(timestamps.raise(500)).isTrue();
        assertThat(timestamps.highest()).isEqualTo(500);
        assertThat(timestamps.draw()).isEqualTo(502);
        assertThat(timestamps.raise(501)).isTrue();
        assertThat(timestamps.raise(400)).isTrue();
        assertThat(timestamps.tick()).isEqualTo(503);
        assertThat(timestamps.drawUnasked()).isEqualTo(505);
        assertThat(timestamps.clockMicros()).isEqualTo(100);
    }

    @Test
    void doesNotFollowWhatLiesFartherAheadThanClocksMayBeApart() {
        WriteTimestamps timestamps = new WriteTimestamps(() -> 100);
        long farthest = 100 + 2 * 5_000_000;
        assertThat(timestamps.raise(farthest + 1)).isFalse();
        assertThat(timestamps.highest()).isLessThan(farthest);
        assertThat(timestamps.raise(farthest)).isTrue();
        WriteTimestamps watched = new WriteTimestamps(() -> 100);
        watched.watch(clock -> watch(null));
        assertThat(watched.raise(151)).isFalse();
        assertThat(watched.raise(150)).isTrue();
    }

    @Test
    void drawsNothingWhileItsClockIsWrong() {
        WriteTimestamps timestamps = new WriteTimestamps(() -> 100);
        ClockWatch watch = watch("ten minutes ahead");
        assertThat(timestamps.watch(clock -> watch)).isSameAs(watch);
        assertThat(timestamps.watch(clock -> watch(null))).isSameAs(watch);
        assertThatThrownBy(timestamps::draw)
                .isInstanceOf(ClockOffsetException.class)
                .hasMessageContaining("ten minutes ahead");
        assertThat(timestamps.next()).isEqualTo(Statement.NO_DEFAULT_TIMESTAMP);
        assertThat(timestamps.tick()).isEqualTo(100);
        timestamps.close();
        verify(watch).close();
    }

    private static ClockWatch watch(@Nullable String problem) {
        ClockWatch watch = mock();
        when(watch.problem()).thenReturn(problem);
        when(watch.longestLead()).thenReturn(50L);
        return watch;
    }

    private static void record(Set<Long> taken, Set<Long> twice, long timestamp) {
        if (!taken.add(timestamp)) {
            synchronized (twice) {
                twice.add(timestamp);
            }
        }
    }
}
