package io.surewrite.lease;

import io.surewrite.internal.clock.ClockGuard.ClockCheck;
import io.surewrite.internal.clock.SimClocks;
import io.surewrite.retry.SimRetry;
import io.surewrite.simulation.ClockFault;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Faults;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of the simulation: two or three processes with one to three clients each contend for one name, and in half of the
 * runs write a row under it; what they do and what befalls them follows from the seed. In the end a newcomer must get the name
 * in time.
 */
final class LeaseSchedule {

    private static final long DRIFT_PPM = 200;
    private static final long LIMIT = 600 * World.SECOND;
    private static final String NAME = "item:1";

    /** Between the moment at which the name is free and a waiting process notices: its longest pause, and the way. */
    private static final long SLACK = 400 * World.MILLIS;

    /** More than it takes while nothing goes wrong. */
    private static final long FIRST_MEASUREMENT = World.SECOND;

    private final World world;
    private final PlantedLeaseBug plant;
    private final LeaseSettings settings;
    private final DeadlinesAndTokens rules;
    private final SimCluster cluster;
    private final SimLeaseTable table;
    private final LeaseLedger ledger;
    private final AtomicLong lastId = new AtomicLong();
    private final List<Client> clients = new ArrayList<>();
    private final ClockFault clockFault;
    private final double holdingAtLeast;
    private final Duration atLeast;
    private final boolean writing;
    final LeasedRow row;

    LeaseSchedule(long seed, PlantedLeaseBug plant, ClockFault clockFault, boolean recording) {
        this.world = new World(seed, recording);
        this.clockFault = clockFault;
        this.plant = plant;
        Duration margin = Duration.ofMillis(world.between(100, 400));
        long ttl = world.between(2, 5);
        this.settings = new LeaseSettings(
                "simulated",
                Duration.ofSeconds(ttl),
                margin,
                world.chance(0.3) ? Duration.ofMillis(world.between(500, 2_000 * ttl)) : null,
                Duration.ofMillis(world.between(300, 1500)));
        this.rules = plant.rules(settings, (int) world.between(0, 3));
        long drift = 2 * DRIFT_PPM * ttl * World.SECOND / 1_000_000;
        this.cluster =
                new SimCluster(world, faults(ttl), margin.toNanos() - drift, world.between(100, 700) * World.MILLIS);
        this.table = new SimLeaseTable(world, cluster);
        this.ledger = new LeaseLedger(world, table);
        world.check(ledger::check);
        this.holdingAtLeast = world.chance(0.7) ? 0 : world.fraction();
        this.atLeast = Duration.ofNanos(someTime(3));
        this.writing = clockFault == ClockFault.NONE && world.chance(0.5);
        this.row = new LeasedRow(world, cluster, plant);
    }

    /**
     * Runs it.
     *
     * @throws Violation if an obligation does not hold
     */
    LeaseLedger run() {
        world.note("world", settings::toString);
        world.note("world", () -> "%s, planted: %s".formatted(cluster.nodes(), plant));
        for (long i = 1, processes = world.between(2, 3); i <= processes; i++) {
            SimProcess process = new SimProcess("p" + i, world, DRIFT_PPM);
            // Clocks of processes may be far apart, as far as nobody calls them wrong.
            long ahead = writing && world.chance(0.7) ? world.between(-4_000, 4_000) * 1_000 : 0;
            WriteTimestamps timestamps = SimClocks.timestamps(() -> SimClocks.wallMicros(process) + ahead);
            LeaseLocks locks = locks(process, timestamps);
            for (long n = world.between(1, 3); n > 0; n--) {
                clients.add(new Client(process, locks, new SimRetry(process, timestamps, world.number())));
            }
            befall(process);
        }
        clients.forEach(client -> client.pause(0));
        clockFault.befall(world, cluster, () -> world.oneOf(clients).process, 10 * World.SECOND, ledger::nodeJumps);
        Newcomer newcomer = new Newcomer();
        world.after(world.between(World.SECOND, 20 * World.SECOND), null, newcomer::arrive);
        world.run(LIMIT);
        newcomer.check();
        clients.forEach(Client::check);
        row.check();
        return ledger;
    }

    String history() {
        return world.history();
    }

    /** Most schedules know some kinds of faults only: the rarer the kinds, the deeper each gets. */
    private Faults faults(long ttl) {
        return new Faults(rate(), rate(), rate(), rate(), rate(), world.between(1, 2 * ttl) * World.SECOND);
    }

    private double rate() {
        return world.chance(0.5) ? 0 : world.fraction() * 0.3;
    }

    private void befall(SimProcess process) {
        if (world.chance(0.4)) {
            world.after(world.between(0, 10 * World.SECOND), null, () -> process.sleep(someTime(2)));
        }
        if (world.chance(0.2)) {
            world.after(world.between(0, 15 * World.SECOND), null, process::crash);
        }
    }

    private LeaseLocks locks(SimProcess process, WriteTimestamps timestamps) {
        LongSupplier nanos = process::nanos;
        ClockCheck check = ClockCheck.NONE;
        if (clockFault.isWatched()) {
            nanos = SimClocks.wakeful(process);
            check = SimClocks.watch(world, process, cluster, () -> SimClocks.wallMicros(process), settings.skewMargin())
                    .ofAcquiring();
            ledger.watched(process, check);
        }
        Supplier<UUID> fresh = () -> new UUID(0, lastId.incrementAndGet());
        return new ProcessLeases(
                new LeaseContext(
                        plant.store(process, cluster, table),
                        new SimTime(process, nanos),
                        clockFault == ClockFault.OF_A_NODE_UNHEEDED ? ClockCheck.NONE : check,
                        timestamps,
                        rules,
                        settings,
                        plant.ids(fresh),
                        world::fraction,
                        ledger.of(process),
                        Runnable::run),
                () -> {});
    }

    private long someTime(int ttls) {
        return world.between(0, ttls * settings.ttl().toNanos());
    }

    /** Acquires, works, releases, and again. */
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

        void pause(long extra) {
            if (rounds-- > 0) {
                process.after(extra + (world.chance(0.5) ? 0 : someTime(1)), this::ask);
            }
        }

        private void ask() {
            rounds++;
            LeaseRequest request = LeaseRequest.of(NAME);
            if (world.chance(holdingAtLeast)) {
                request = request.withHoldAtLeast(atLeast);
            }
            long from = world.now();
            SimRetry.@Nullable Pinned early = row.early(retry);
            CompletionStage<Optional<Lease>> asked = world.chance(0.2)
                    ? locks.tryAcquireAsync(request)
                    : locks.tryAcquireAsync(request, Duration.ofNanos(someTime(4)));
            asked.whenComplete((lease, failure) -> {
                if (failure != null || lease.isEmpty()) {
                    process.note(() -> "gets nothing" + (failure == null ? "" : ": " + failure.getMessage()));
                    if (failure == null) {
                        ledger.refused(process, from);
                    }
                    rounds--;
                    pause(0);
                } else if (writing) {
                    row.change(process, retry, lease.get(), early, () -> finish(lease.get()));
                } else {
                    work(lease.get());
                }
            });
        }

        private void work(Lease lease) {
            long takes = world.chance(0.5) ? world.between(0, 20 * World.MILLIS) : someTime(2);
            if (world.chance(0.1)) {
                process.after(takes / 2, lease::renewAsync);
            }
            process.after(takes, () -> finish(lease));
        }

        private void finish(Lease lease) {
            process.note(() -> "releases " + lease);
            lease.releaseAsync().thenAccept(outcome -> {
                rounds--;
                pause(0);
            });
        }

        /** In the end everybody alive must have had every answer. */
        void check() {
            if (!process.isCrashed() && rounds > 0) {
                world.violate("%s waits for an answer for ever".formatted(process.name()));
            }
        }
    }

    /** Comes when the faults are over, in a process of its own, and must get the name in time: L3 and L4. */
    private final class Newcomer {

        private final SimProcess process = new SimProcess("new", world, DRIFT_PPM);
        private @Nullable LeaseLocks locks;
        private boolean served;

        void arrive() {
            cluster.heal();
            process.note(() -> "arrives; from now on nothing goes wrong");
            long arrived = world.now();
            locks = locks(process, SimClocks.timestamps(() -> SimClocks.wallMicros(process)));
            if (clockFault.isWatched()) {
                process.after(FIRST_MEASUREMENT, () -> ask(world.now()));
            } else {
                ask(arrived);
            }
        }

        private void ask(long arrived) {
            long patience = LIMIT / 2;
            Objects.requireNonNull(locks)
                    .tryAcquireAsync(LeaseRequest.of(NAME), Duration.ofNanos(patience))
                    .whenComplete((lease, failure) ->
                            served = failure != null && failure.getCause() instanceof ClockOffsetException)
                    .thenAccept(lease -> lease.ifPresent(mine -> {
                        served = true;
                        long inTime = Math.max(arrived, table.freeBeforeAtLatest()) + SLACK;
                        if (world.now() > inTime && !clockFault.isOfANode()) {
                            world.violate("L3/L4: the name was blocked %.3f s too long"
                                    .formatted((double) (world.now() - inTime) / World.SECOND));
                        }
                        mine.releaseAsync();
                    }));
        }

        void check() {
            // What a node wrote ten minutes ahead of time lasts so much longer.
            if (!served && !clockFault.isOfANode()) {
                world.violate("L4: the name is blocked for ever");
            }
        }
    }

    /** The clock and the timers of one process. */
    private record SimTime(SimProcess process, LongSupplier clock) implements LeaseTime {

        @Override
        public long nanos() {
            return clock.getAsLong();
        }

        @Override
        public long awakeNanos() {
            return process.nanos();
        }

        @Override
        public Runnable after(long nanos, Runnable task) {
            return process.after(nanos, task)::cancel;
        }
    }
}
