package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseException;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.lease.LeaseLocksFactory;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.LeaseSettings;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.write.ConditionalWrites;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Component;

/**
 * Two holders of one lease, each with lease locks of its own, as two processes have them. The first one renews by hand,
 * so that it can be made to die: it stops renewing and releases nothing. The second one waits.
 */
@Component
class DyingHolder {

    private static final Duration TTL = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CqlSession session;
    private final ConditionalWrites writes;
    private final String table;
    private volatile Drama drama = new Drama();

    DyingHolder(CqlSession session, ConditionalWrites writes, SurewriteSchema schema) {
        this.session = session;
        this.writes = writes;
        this.table = schema.table("lease");
    }

    Drama drama() {
        return drama;
    }

    /** The first holder takes the lease, the second begins to wait. Whoever played before leaves. */
    synchronized void start() {
        drama.killed.set(true);
        Drama next = new Drama();
        drama = next;
        next.isRunning = true;
        Run.play("lab-first", () -> hold(next));
    }

    /** The first holder dies. */
    void kill() {
        if (drama.killed.compareAndSet(false, true)) {
            drama.say("The first holder is killed: no renewal any more, and nothing is released");
        }
    }

    private void hold(Drama now) {
        LeaseRequest request = LeaseRequest.of("alledeals:lab:" + now.id).withTtl(TTL);
        try (CloseableLeaseLocks locks = locks("first holder")) {
            Lease lease = locks.acquire(request.withoutRenewal(), PATIENCE);
            now.say("The first holder has the lease, token %d".formatted(lease.token()));
            Run.play("lab-second", () -> waitFor(now, request));
            while (!now.killed.get() && lease.renew()) {
                Thread.sleep(TTL.toMillis() / 8);
            }
            // Closing would release what a dead process cannot.
            while (lease.isHeld()) {
                Thread.sleep(20);
            }
            now.say("The first holder would know by now: isHeld() is false");
        } catch (InterruptedException | LeaseException trouble) {
            now.end("The first holder failed: " + trouble.getMessage());
        }
    }

    private void waitFor(Drama now, LeaseRequest request) {
        try (CloseableLeaseLocks locks = locks("second holder")) {
            now.say("The second holder waits");
            Lease lease = locks.acquire(request, PATIENCE);
            now.end("The second holder has the lease, token %d".formatted(lease.token()));
        } catch (InterruptedException | LeaseException trouble) {
            now.end("The second holder gave up: " + trouble.getMessage());
        }
    }

    /** Lease locks of its own, as a process has them. */
    CloseableLeaseLocks locks(String holder) {
        return LeaseLocksFactory.create(
                session, writes, table, LeaseSettings.defaults(holder), ObservationRegistry.NOOP);
    }

    /** What happened so far. */
    static final class Drama {

        private final UUID id = UUID.randomUUID();
        private final long start = System.nanoTime();
        private final AtomicBoolean killed = new AtomicBoolean();
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();
        private volatile boolean isRunning;

        private void say(String what) {
            lines.add(String.format(Locale.ROOT, "%.1f s  %s", (System.nanoTime() - start) / 1e9, what));
        }

        private void end(String what) {
            say(what);
            isRunning = false;
        }

        public boolean isRunning() {
            return isRunning;
        }

        public boolean isKilled() {
            return killed.get();
        }

        public List<String> lines() {
            return List.copyOf(lines);
        }
    }
}
