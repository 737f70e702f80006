package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.time.TimestampGenerator;
import io.surewrite.alledeals.lab.BadNetwork.Loss;
import io.surewrite.alledeals.lab.Timeline.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One side of an experiment while it runs: who sends what about the rows that it watches, and what the network does to it. What
 * a message suffers follows from the seed, its sender and its number, so the same seed has the same messages suffer the same.
 */
final class Run implements AutoCloseable {

    /** How long a sender waits in vain here: a driver waits for two seconds, which is long to look at. */
    static final Duration TIMEOUT = Duration.ofMillis(300);

    private static final Duration LATENESS = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ThreadLocal<@Nullable String> PERSON = new ThreadLocal<>();

    private final BadNetwork network;
    private final long seed;
    private final Meeting meeting;
    private final Timeline timeline = new Timeline();
    private volatile Instant began = Instant.now();
    private final Deque<Watched> watched = new ConcurrentLinkedDeque<>();
    private final Map<String, AtomicInteger> numbers = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<Void>> firsts = new ConcurrentHashMap<>();
    private final Set<String> unheard = ConcurrentHashMap.newKeySet();
    private final Queue<CompletableFuture<?>> underWay = new ConcurrentLinkedQueue<>();
    private volatile Faults faults = (message, random) -> Fate.FINE;
    private int meetings;

    Run(BadNetwork network, long seed, Meeting meeting) {
        this.network = network;
        this.seed = seed;
        this.meeting = meeting;
    }

    Timeline timeline() {
        return timeline;
    }

    /** {@return random numbers for one purpose, the same ones on both sides and in each run of the seed} */
    RandomGenerator random(Object... purpose) {
        return new SplittableRandom(seed * 31 + Objects.hash(purpose));
    }

    /** What the network does to messages about watched rows; nothing, unless it is told. */
    void faults(Faults planned) {
        faults = planned;
    }

    /** Waits for the other side: what was prepared before is not on the timeline. */
    void begin() throws InterruptedException {
        meeting.await();
        began = Instant.now();
        timeline.begin();
    }

    /** From now on, what is sent about a row is on the timeline, under the name of who sends it, or of its owner: the last one named. */
    void watch(String owner, Object key) {
        watched.addFirst(new Watched(Sent.bytes(key.toString()), owner));
        if (key instanceof UUID id) {
            watched.addFirst(new Watched(Sent.bytes(id), owner));
        }
        network.watch(this);
    }

    /** Waits until nothing is under way any more, and watches no longer. */
    void settle() throws InterruptedException, ExecutionException, TimeoutException {
        for (CompletableFuture<?> message = underWay.poll(); message != null; message = underWay.poll()) {
            message.handle((answer, failure) -> null).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        }
        close();
    }

    @Override
    public void close() {
        network.leave(this);
        watched.clear();
    }

    void say(String what) {
        String person = PERSON.get();
        happened(person == null ? "" : person, Kind.SAID, what);
    }

    /** Does something as somebody, whose name is on what is sent meanwhile. */
    <T> T as(String who, Callable<T> what) throws Exception {
        String before = PERSON.get();
        PERSON.set(who);
        try {
            return what.call();
        } finally {
            PERSON.set(before);
        }
    }

    /** Waits until something becomes of a message of somebody, for the first time: until it is lost, or has been read. */
    void await(String who, Kind kind) throws InterruptedException, ExecutionException, TimeoutException {
        first(who, kind).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits for the other side, and has something done once for both. */
    void meet(Runnable once) throws InterruptedException {
        meeting.await(++meetings, once);
    }

    /** How many of so many people, all at the same moment, say yes. */
    int atOnce(int many, String kind, IntPredicate one) {
        CountDownLatch go = new CountDownLatch(many);
        List<Callable<Boolean>> people = new ArrayList<>();
        for (int number = 1; number <= many; number++) {
            int mine = number;
            people.add(() -> as(kind + " " + mine, () -> {
                go.countDown();
                go.await();
                return one.test(mine);
            }));
        }
        return (int) together(people).stream().filter(yes -> yes).count();
    }

    /** Has everybody do something at the same time, each in a thread of their own. */
    static <T> List<T> together(List<Callable<T>> people) {
        return together(people, PATIENCE);
    }

    static <T> List<T> together(List<Callable<T>> people, Duration patience) {
        ExecutorService threads = Executors.newFixedThreadPool(people.size(), task -> {
            Thread thread = new Thread(task, "lab-side");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<T> answers = new ArrayList<>();
            for (Future<T> answer : threads.invokeAll(people, patience.toMillis(), TimeUnit.MILLISECONDS)) {
                answers.add(answer.get());
            }
            return answers;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        } catch (CancellationException late) {
            throw new IllegalStateException("It took longer than %d s".formatted(patience.toSeconds()), late);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("One of the people met trouble: " + failed.getCause(), failed.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Has somebody play a part, in a thread that keeps nobody from going home. */
    static Thread play(String name, Part part) {
        Thread thread = new Thread(
                () -> {
                    try {
                        part.play();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Whether a statement is about a watched row. */
    boolean isAbout(Sent sent) {
        return owner(sent) != null;
    }

    private @Nullable String owner(Sent sent) {
        return watched.stream()
                .filter(row -> sent.contains(row.key()))
                .map(Watched::owner)
                .findFirst()
                .orElse(null);
    }

    /** Sends a statement through the network as it is today. */
    CompletionStage<AsyncResultSet> send(
            Sent sent, TimestampGenerator clock, Function<Statement<?>, CompletionStage<AsyncResultSet>> wire) {
        String person = PERSON.get();
        String owner = owner(sent);
        String who = person != null ? person : owner == null ? "" : owner;
        String sort = sent.isRead() ? "read" : "write";
        int number =
                numbers.computeIfAbsent(who + sort, key -> new AtomicInteger()).incrementAndGet();
        Statement<?> statement = sent.stamped(clock); // as the driver would, when it leaves
        String text = sent.describe(
                statement,
                began.until(Instant.EPOCH, ChronoUnit.MICROS),
                watched.stream().map(Watched::key).toList());
        happened(who, unheard.contains(who + sent.cql()) ? Kind.RETRIED : Kind.SENT, text);
        Fate fate = faults.fate(
                new Message(who, number, sent.isRead(), sent.isConditional(), sent.cql()), random(who, sort, number));
        CompletableFuture<AsyncResultSet> applied = fate.loss() == Loss.REQUEST
                ? new CompletableFuture<>()
                : after(fate.delay().plus(fate.loss() == Loss.TIME ? TIMEOUT.plus(LATENESS) : Duration.ZERO))
                        .thenCompose(now -> wire.apply(statement))
                        .whenComplete((answer, failure) -> note(who, sent, text, answer, failure));
        Loss loss = fate.loss();
        if (loss == null) {
            underWay.add(applied);
            return applied;
        }
        CompletableFuture<?> gone = loss == Loss.ANSWER ? applied : CompletableFuture.completedFuture(null);
        CompletableFuture<AsyncResultSet> timedOut = gone.thenCompose(now -> {
                    unheard.add(who + sent.cql());
                    happened(who, Kind.LOST, loss.lost() + ": " + text);
                    return after(TIMEOUT);
                })
                .thenApply(now -> {
                    throw new DriverTimeoutException("Lost on purpose, in the Lab");
                });
        underWay.add(timedOut);
        if (loss == Loss.TIME) {
            underWay.add(applied);
        }
        return timedOut;
    }

    private void note(
            String who, Sent sent, String text, @Nullable AsyncResultSet answer, @Nullable Throwable failure) {
        if (answer == null) {
            Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                    ? wrapped.getCause()
                    : failure;
            unheard.add(who + sent.cql());
            happened(
                    who,
                    Kind.LOST,
                    "%s: %s".formatted(cause == null ? "" : cause.getClass().getSimpleName(), text));
        } else if (sent.isRead()) {
            happened(who, Kind.READ, text);
        } else {
            happened(who, answer.wasApplied() ? Kind.APPLIED : Kind.REFUSED, text);
        }
    }

    private void happened(String who, Kind kind, String what) {
        timeline.add(who, kind, what);
        first(who, kind).complete(null);
    }

    private CompletableFuture<Void> first(String who, Kind kind) {
        return firsts.computeIfAbsent(kind + who, key -> new CompletableFuture<>());
    }

    private static CompletableFuture<Void> after(Duration delay) {
        return delay.isZero()
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.runAsync(
                        () -> {}, CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** A key that is in what is sent about a row, and who sends what comes from no known person. */
    private record Watched(String key, String owner) {}

    /** What somebody does who may be interrupted. */
    @FunctionalInterface
    interface Part {
        void play() throws InterruptedException;
    }

    /** What the network does to messages. */
    @FunctionalInterface
    interface Faults {

        /** Says what becomes of a message. */
        Fate fate(Message message, RandomGenerator random);
    }

    /** A message about a watched row. */
    record Message(String who, int number, boolean isRead, boolean isConditional, String cql) {}

    /** What becomes of a message. */
    record Fate(@Nullable Loss loss, Duration delay) {

        static final Fate FINE = slow(0);
        static final Fate REQUEST_LOST = lost(Loss.REQUEST);
        static final Fate ANSWER_LOST = lost(Loss.ANSWER);

        /** It is slow. */
        static Fate slow(int millis) {
            return new Fate(null, Duration.ofMillis(millis));
        }

        /** It is lost, in one of the ways. */
        static Fate lost(RandomGenerator random) {
            List<Loss> ways = List.of(Loss.values());
            return lost(ways.get(random.nextInt(ways.size())));
        }

        private static Fate lost(Loss loss) {
            return new Fate(loss, Duration.ZERO);
        }
    }
}
