package io.surewrite.lease;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.clock.ClockGuard.ClockCheck;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Leases of several processes on a table in this JVM. */
public final class InMemoryLeases implements AutoCloseable {

    private static final LeaseSettings SETTINGS = new LeaseSettings(
            "somebody", LeaseLocksContract.SHORT_TTL, Duration.ofMillis(300), null, Duration.ofMillis(500));

    /** For tests that are not about time. */
    private static final LeaseSettings UNHURRIED =
            new LeaseSettings("somebody", Duration.ofSeconds(60), Duration.ofMillis(300), null, Duration.ofSeconds(20));

    private final ExecutorService driver = Executors.newFixedThreadPool(2);
    private final List<CloseableLeaseLocks> processes = new CopyOnWriteArrayList<>();
    final InMemoryLeaseStore store = new InMemoryLeaseStore(driver);

    /** {@return leases of one more process} */
    public CloseableLeaseLocks process(ObservationRegistry observations) {
        return process(SETTINGS, new LeaseEvents(observations));
    }

    public CloseableLeaseLocks process() {
        return process(ObservationRegistry.NOOP);
    }

    /** {@return leases of one more process, which draws its timestamps there} */
    public CloseableLeaseLocks process(WriteTimestamps timestamps) {
        return process(UNHURRIED, new LeaseEvents(ObservationRegistry.NOOP), timestamps);
    }

    CloseableLeaseLocks process(LeaseSettings settings, LeaseEvents events) {
        return process(settings, events, new WriteTimestamps(Clock.systemUTC()));
    }

    private CloseableLeaseLocks process(LeaseSettings settings, LeaseEvents events, WriteTimestamps timestamps) {
        CloseableLeaseLocks process = LeaseLocksFactory.over(store, settings, events, ClockCheck.NONE, timestamps);
        processes.add(process);
        return process;
    }

    /** Takes whoever holds a name out of the table. */
    public void clear(String name) {
        store.clear(name);
    }

    /** From now on the table takes nothing and says nothing. */
    public void fallSilent() {
        store.silent = true;
    }

    /** It is back. */
    public void speakAgain() {
        store.silent = false;
    }

    /** {@return how long the row of a name lasts yet, silent or not} */
    public Duration remaining(String name) {
        return store.row(name).remaining();
    }

    @Override
    public void close() {
        store.silent = false;
        processes.forEach(CloseableLeaseLocks::close);
        driver.shutdown();
    }
}
