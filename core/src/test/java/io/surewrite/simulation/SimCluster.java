package io.surewrite.simulation;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.surewrite.simulation.Steps.Met;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The database as its clients see it: requests are applied one after the other, each by some node with its own clock, or
 * never, or much later; answers arrive, or do not.
 */
public final class SimCluster {

    private final World world;
    private final Supplier<Faults> faults;
    private final long requestTimeout;
    private final List<Node> nodes;
    private boolean faultless;
    private long takenAt;

    /** The shares of what goes wrong: late is what arrives after its sender has given up, refused what tells nothing at once. */
    public record Faults(double lost, double unanswered, double late, double refused, double slow, long latest) {

        public static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0);
    }

    /** A node. */
    public static final class Node {

        private final String name;
        private long skew;

        Node(String name, long skew) {
            this.name = name;
            this.skew = skew;
        }

        public String name() {
            return name;
        }

        public long skew() {
            return skew;
        }

        /** {@return the time as this node's clock shows it, in whole seconds} */
        public long seconds(long trueTime) {
            return Math.floorDiv(trueTime + skew, World.SECOND);
        }

        /** Somebody sets its clock. */
        public void setClock(long by) {
            skew += by;
        }

        @Override
        public String toString() {
            return "%s (%+.3f s)".formatted(name, (double) skew / World.SECOND);
        }
    }

    /** What became of a conditional write, and the row that it met if it was not applied. */
    public record Decision<R>(boolean applied, @Nullable R row) {}

    public SimCluster(World world, Faults faults, long maxSkew, long requestTimeout) {
        this(world, () -> faults, maxSkew, requestTimeout);
    }

    public SimCluster(World world, Supplier<Faults> faults, long maxSkew, long requestTimeout) {
        this.world = world;
        this.faults = faults;
        this.requestTimeout = requestTimeout;
        this.nodes = IntStream.rangeClosed(1, 3)
                .mapToObj(i -> new Node("node" + i, world.between(-maxSkew / 2, maxSkew / 2)))
                .toList();
    }

    public List<Node> nodes() {
        return nodes;
    }

    /**
     * When the coordinator took the request that is applied now: it may come into effect much later, and what counts from
     * its arrival, as a time to live does, has been counting since.
     */
    public long takenAt() {
        return takenAt;
    }

    /** From now on nothing goes wrong any more, but for what is on its way. */
    public void heal() {
        faultless = true;
    }

    /** Sends a request; the answer is null for an error, or if there is none in time. */
    public <A> void send(
            SimProcess from, Supplier<String> what, Function<Node, A> apply, Consumer<@Nullable A> onAnswer) {
        send(from, null, what, apply, onAnswer);
    }

    public <A> void send(
            SimProcess from,
            @Nullable Node to,
            Supplier<String> what,
            Function<Node, A> apply,
            Consumer<@Nullable A> heard) {
        Faults now = faultless ? Faults.NONE : faults.get();
        double dice = world.fraction();
        double lost = now.lost();
        double unanswered = lost + now.unanswered();
        double late = unanswered + now.late();
        double refused = late + now.refused();
        double slow = refused + now.slow();
        Steps steps = world.steps();
        Consumer<@Nullable A> onAnswer = steps == null
                ? heard
                : steps.sent(from, what, dice < unanswered ? Met.LOST : dice < refused ? Met.LATE : null, heard);
        long there = world.between(World.MILLIS / 10, 3 * World.MILLIS);
        long back = world.between(World.MILLIS / 10, 3 * World.MILLIS);
        if (dice < unanswered) {
            String fate = dice < lost ? "request lost" : "answer lost";
            from.note(() -> "sends %s (%s)".formatted(what.get(), fate));
            if (dice >= lost) {
                world.after(there, null, () -> applied(to, what, apply, world.now()));
            }
            from.after(requestTimeout, () -> onAnswer.accept(null));
        } else if (dice < late) {
            long when = world.between(0, now.latest());
            boolean atCoordinator = world.chance(0.5);
            long taken = world.now() + (atCoordinator ? Math.min(there, when) : when);
            from.note(() -> "sends %s (zombie: %s after %.3f s)"
                    .formatted(what.get(), atCoordinator ? "applied" : "arrives", (double) when / World.SECOND));
            world.after(when, null, () -> applied(to, what, apply, taken));
            from.after(requestTimeout, () -> onAnswer.accept(null));
        } else if (dice < refused) {
            boolean applies = world.chance(0.5);
            from.note(() ->
                    "sends %s (error at once, %s)".formatted(what.get(), applies ? "applied later" : "not applied"));
            if (applies) {
                long taken = world.now() + there;
                world.after(world.between(there, requestTimeout), null, () -> applied(to, what, apply, taken));
            }
            world.after(there + back, from, () -> onAnswer.accept(null));
        } else {
            long extra = dice < slow ? world.between(0, requestTimeout - there - back - 1) : 0;
            long before = extra == 0 ? 0 : world.between(0, extra);
            from.note(() -> "sends " + what.get());
            long taken = world.now() + there;
            world.after(there + before, null, () -> {
                A answer = applied(to, what, apply, taken);
                world.after(back + extra - before, from, () -> onAnswer.accept(answer));
            });
        }
        from.sent();
    }

    /** Sends a request to a node, or any if it is null; that nobody answers is a failure. */
    public <A> CompletableFuture<A> ask(
            SimProcess from, @Nullable Node to, Supplier<String> what, Function<Node, A> apply) {
        CompletableFuture<A> asked = new CompletableFuture<>();
        send(from, to, what, apply, answer -> {
            if (answer == null) {
                asked.completeExceptionally(new DriverTimeoutException("no answer"));
            } else {
                asked.complete(answer);
            }
        });
        return asked;
    }

    /** Sends a request until it is answered or time is up, as {@code ConditionalWrites} does; null if there is no decision. */
    public <R> CompletionStage<@Nullable Decision<R>> settle(
            SimProcess from,
            Supplier<String> what,
            Function<Node, Decision<R>> apply,
            Predicate<R> mine,
            long timeout) {
        CompletableFuture<@Nullable Decision<R>> settled = new CompletableFuture<>();
        attempt(from, what, apply, mine, from.nanos() + timeout, settled);
        return settled;
    }

    private <R> void attempt(
            SimProcess from,
            Supplier<String> what,
            Function<Node, Decision<R>> apply,
            Predicate<R> mine,
            long giveUpAt,
            CompletableFuture<@Nullable Decision<R>> settled) {
        send(from, what, apply, decision -> {
            if (decision != null) {
                R row = decision.row();
                boolean earlier = !decision.applied() && row != null && mine.test(row);
                settled.complete(earlier ? new Decision<>(true, null) : decision);
                return;
            }
            long pause = world.between(World.MILLIS, 100 * World.MILLIS);
            if (from.nanos() + pause - giveUpAt >= 0) {
                from.note(() -> "gives up on %s: unknown".formatted(what.get()));
                settled.complete(null);
            } else {
                from.after(pause, () -> attempt(from, what, apply, mine, giveUpAt, settled));
            }
        });
    }

    private <A> A applied(@Nullable Node to, Supplier<String> what, Function<Node, A> apply, long taken) {
        Node node = to == null ? world.oneOf(nodes) : to;
        takenAt = taken;
        A answer = apply.apply(node);
        world.note(node.name(), () -> "%s: %s".formatted(what.get(), answer));
        return answer;
    }
}
