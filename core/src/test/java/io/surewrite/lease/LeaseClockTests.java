package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.write.ClockOffsetException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What leases do while the clocks of the nodes are known to be too far apart. */
class LeaseClockTests {

    private static final LeaseRequest REQUEST = LeaseRequest.of("item:1");
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String APART = "node b is an hour ahead";

    private final ScriptedLeases leases = new ScriptedLeases();

    @Test
    void refusesEveryoneWhoAsksAndSendsNothing() {
        leases.apart.set(APART);
        for (CompletableFuture<Optional<Lease>> asked : List.of(leases.ask(REQUEST), leases.ask(REQUEST, LONG))) {
            assertThatThrownBy(asked::join)
                    .hasCauseInstanceOf(ClockOffsetException.class)
                    .hasMessageContaining("Lease 'item:1': refused, and nothing was sent: " + APART);
        }
        assertThatThrownBy(() -> leases.locks.tryAcquire(REQUEST)).isInstanceOf(ClockOffsetException.class);
        assertThatThrownBy(() -> leases.locks.acquire(REQUEST, LONG)).isInstanceOf(ClockOffsetException.class);
        assertThatThrownBy(() -> leases.locks.tryAcquireAll(List.of("a", "b"), LONG))
                .isInstanceOf(ClockOffsetException.class);
        leases.nothingSent();
        assertThat(leases.events).startsWith("not acquired after PT0S, unavailable");
    }

    @Test
    void releasesInsteadOfHandingOverAndLooksAgainLater() {
        Lease lease = leases.acquired(REQUEST);
        CompletableFuture<Optional<Lease>> waiting = leases.ask(REQUEST, LONG);
        leases.apart.set(APART);
        lease.releaseAsync();
        leases.next("release").done();
        leases.nothingSent();
        leases.time.advance(Duration.ofSeconds(1));
        leases.next("read").shows(3, null, Duration.ZERO);
        leases.nothingSent();
        leases.apart.set(null);
        leases.time.advance(Duration.ofSeconds(1));
        leases.next("read").shows(3, null, Duration.ZERO);
        leases.next("acquire").done();
        assertThat(waiting.join()).isPresent();
    }
}
