package io.surewrite.lease;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.surewrite.internal.clock.SimClocks;
import io.surewrite.lease.LeaseStore.LeaseAnswer;
import io.surewrite.lease.LeaseStore.LeaseWrite;
import io.surewrite.retry.SimRetry;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Faults;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One run of read-modify-write under leases: processes with clocks that are seconds apart acquire the lease of a row, read
 * it, add their mark and write it back, plainly, with retries and one timestamp. They lose requests and answers, stand
 * still, die, and outlive their leases. Whatever was reported done must be in the row in the end; and whatever is in the
 * row was added by somebody.
 */
final class LeasedWriteSchedule {

    private static final String NAME = "item:1";
    private static final long LIMIT = 600 * World.SECOND;

    /** A bug, planted by leaving something out, that the simulation must notice. */
    enum Plant {
        /** Nothing: the code as it ships. */
        NOTHING,

        /** The timestamp is drawn before the lease is had. */
        PIN_BEFORE_THE_LEASE,

        /** A release leaves nothing of what was drawn. */
        NO_CARRY_OVER,

        /** The row does not say what a holder may draw until it ends by itself. */
        NOTHING_RESERVED,

        /** An acquisition does not look at what earlier holders left. */
        FLOOR_NOT_CHECKED,

        /** Attempts begin, and success is reported, whatever became of the lease. */
        NO_LOOK_AT_THE_LEASE
    }

    private final World world;
    private final Plant plant;
    private final SimCluster cluster;
    private final SimLeaseTable table;
    private final LeaseSettings settings;
    private final AtomicLong lastId = new AtomicLong();
    private final List<SimProcess> processes = new ArrayList<>();

    /** The row as a node has it after the newest write that came in: a plain write, the later timestamp wins. */
    private Set<String> row = Set.of();

    private long writtenAt;
    private final Set<String> reported = new LinkedHashSet<>();
    private int marks;
    private int unknown;
    private int working;

    LeasedWriteSchedule(long seed, Plant plant, boolean recording) {
        this.world = new World(seed, recording);
        this.plant = plant;
        Duration margin = Duration.ofMillis(world.between(100, 400));
        long ttl = world.between(2, 5);
        this.settings = new LeaseSettings(
                "simulated",
                Duration.ofSeconds(ttl),
                margin,
                null,
                (int) world.between(0, 3),
                Duration.ofSeconds(ttl),
                Duration.ofMillis(world.between(300, 1500)),
                Duration.ofMillis(40),
                Duration.ofMillis(250));
        Faults faults = new Faults(rate(), rate(), rate(), rate(), rate(), 2 * ttl * World.SECOND);
        this.cluster = new SimCluster(world, faults, margin.toNanos() / 2, world.between(100, 700) * World.MILLIS);
        this.table = new SimLeaseTable(world, cluster);
    }

    private double rate() {
        return world.chance(0.5) ? 0 : world.fraction() * 0.3;
    }

    void run() {
        world.note("world", () -> "%s, planted: %s".formatted(settings, plant));
        for (long i = 1, count = world.between(2, 3); i <= count; i++) {
            SimProcess process = new SimProcess("p" + i, world, 200);
            processes.add(process);
            // Clocks of processes may be far apart, as far as nobody calls them wrong.
            long ahead = world.chance(0.3) ? 0 : world.between(-4_000, 4_000) * 1_000;
            WriteTimestamps timestamps = SimClocks.timestamps(() -> SimClocks.wallMicros(process) + ahead);
            process.note(() -> "its clock is ahead by %.3f s".formatted(ahead / 1e6));
            LeaseLocks locks = locks(process, timestamps);
            for (long n = world.between(1, 2); n > 0; n--) {
                new Client(process, locks, new SimRetry(process, timestamps, world.number())).pause();
            }
            if (world.chance(0.4)) {
                world.after(
                        world.between(0, 10 * World.SECOND),
                        null,
                        () -> process.sleep(world.between(0, 6 * World.SECOND)));
            }
            if (world.chance(0.2)) {
                world.after(world.between(0, 15 * World.SECOND), null, process::crash);
            }
        }
        world.run(LIMIT);
        for (String mark : reported) {
            if (!row.contains(mark)) {
                world.violate("%s was reported done, and the row is %s".formatted(mark, row));
            }
        }
        if (working != 0 && processes.stream().noneMatch(SimProcess::isCrashed)) {
            world.violate("a client waits for ever");
        }
    }

    int reported() {
        return reported.size();
    }

    int unknown() {
        return unknown;
    }

    String history() {
        return world.history();
    }

    private LeaseLocks locks(SimProcess process, WriteTimestamps timestamps) {
        return new ProcessLeases(
                new LeaseContext(
                        store(process),
                        new LeaseTime() {
                            @Override
                            public long nanos() {
                                return process.nanos();
                            }

                            @Override
                            public Runnable after(long nanos, Runnable task) {
                                return process.after(nanos, task)::cancel;
                            }
                        },
                        timestamps,
                        new DeadlinesAndTokens(settings),
                        settings,
                        () -> new UUID(0, lastId.incrementAndGet()),
                        world::fraction,
                        new UnheardLeases(),
                        Runnable::run),
                () -> {});
    }

    private SimLeaseStore store(SimProcess process) {
        return new SimLeaseStore(process, cluster, table) {
            @Override
            public CompletionStage<LeaseAnswer> acquire(LeaseWrite claim, Duration timeout) {
                boolean checks = claim.checksFloor() && plant != Plant.FLOOR_NOT_CHECKED;
                return super.acquire(with(claim, checks), timeout);
            }

            @Override
            public CompletionStage<LeaseAnswer> renew(Set<UUID> heldIds, LeaseWrite claim, Duration timeout) {
                return super.renew(heldIds, with(claim, claim.checksFloor()), timeout);
            }

            private LeaseWrite with(LeaseWrite claim, boolean checks) {
                return new LeaseWrite(
                        claim.name(),
                        claim.leaseId(),
                        claim.expectedEpoch(),
                        claim.nextEpoch(),
                        claim.holder(),
                        claim.ttl(),
                        claim.floor(),
                        checks,
                        plant == Plant.NOTHING_RESERVED ? 1 : claim.reserved());
            }

            @Override
            public CompletionStage<LeaseAnswer> release(
                    String name, Set<UUID> heldIds, long writeTs, Duration timeout) {
                return super.release(name, heldIds, plant == Plant.NO_CARRY_OVER ? 1 : writeTs, timeout);
            }
        };
    }

    private final class Client {

        private final SimProcess process;
        private final LeaseLocks locks;
        private final SimRetry retry;
        private long rounds = world.between(1, 3);

        Client(SimProcess process, LeaseLocks locks, SimRetry retry) {
            this.process = process;
            this.locks = locks;
            this.retry = retry;
        }

        void pause() {
            if (rounds-- > 0) {
                process.after(world.chance(0.5) ? 0 : world.between(0, 3 * World.SECOND), this::ask);
            }
        }

        private void ask() {
            working++;
            SimRetry.@Nullable Pinned early = plant == Plant.PIN_BEFORE_THE_LEASE ? retry.begin(true) : null;
            locks.tryAcquireAsync(LeaseRequest.of(NAME), Duration.ofSeconds(20)).whenComplete((lease, failure) -> {
                Optional<Lease> mine = failure == null ? lease : Optional.empty();
                mine.ifPresentOrElse(held -> read(held, early), this::end);
            });
        }

        private void end() {
            working--;
            pause();
        }

        /** What holds in the row is read at a quorum: a read that is not answered says nothing. */
        private void read(Lease lease, SimRetry.@Nullable Pinned early) {
            cluster.send(process, () -> "read the row", node -> row, seen -> {
                if (seen == null) {
                    lease.releaseAsync().whenComplete((outcome, failure) -> end());
                } else {
                    process.after(
                            world.chance(0.7) ? 0 : world.between(0, 4 * World.SECOND),
                            () -> write(lease, seen, early));
                }
            });
        }

        private void write(Lease lease, Set<String> seen, SimRetry.@Nullable Pinned early) {
            String mark = "%s.%d".formatted(process.name(), ++marks);
            Set<String> next = new LinkedHashSet<>(seen);
            next.add(mark);
            SimRetry.Pinned pinned = early;
            try {
                if (pinned == null) {
                    pinned = lease.call(() -> retry.begin(plant == Plant.NO_LOOK_AT_THE_LEASE));
                }
            } catch (RuntimeException refused) {
                process.note(() -> "may not write: " + refused.getMessage());
                lease.releaseAsync().whenComplete((outcome, failure) -> end());
                return;
            }
            pinned.send(timestamp -> attempt(next, mark, timestamp)).whenComplete((failure, impossible) -> {
                if (failure == null) {
                    process.note(() -> "REPORTS %s done".formatted(mark));
                    reported.add(mark);
                } else {
                    process.note(() -> "%s: %s".formatted(mark, failure.getMessage()));
                    unknown += SimRetry.mayBeInEffect(failure) ? 1 : 0;
                }
                process.after(
                        world.chance(0.7) ? 0 : world.between(0, World.SECOND),
                        () -> lease.releaseAsync().whenComplete((outcome, none) -> end()));
            });
        }

        private CompletionStage<?> attempt(Set<String> next, String mark, long timestamp) {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            cluster.send(
                    process,
                    () -> "write %s at %d".formatted(mark, timestamp),
                    node -> {
                        if (timestamp > writtenAt) {
                            row = next;
                            writtenAt = timestamp;
                        }
                        return true;
                    },
                    done -> {
                        if (done == null) {
                            answer.completeExceptionally(new DriverTimeoutException("no answer"));
                        } else {
                            answer.complete(done);
                        }
                    });
            return answer;
        }
    }
}
