package io.surewrite.verification.lease;

import static io.surewrite.verification.lease.LeaseBenchmark.BY_HAND;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.verification.Throughput;
import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Goal;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Locking and unlocking a name that nobody else wants, in several ways. */
final class Alone {

    private static final String SAME_STATEMENTS = "the same statements by hand";

    private final ShedLockRequests shedLock;
    private final Consumer<String> ours;
    private final Consumer<String> byHand;
    private final Consumer<String> sameStatements;

    Alone(LeaseLocks locks, HandWrittenLock byHand, CqlSession session) {
        this.shedLock = new ShedLockRequests(session);
        this.ours = name -> locks.tryAcquire(name).orElseThrow().release();
        this.byHand = byHand::lockAndUnlock;
        this.sameStatements = new SameStatements(session)::lockAndUnlock;
        Way.names().forEach(shedLock::makeRow);
    }

    /** Each way by many threads, with a name each, until the compilers of client and server have done most of it. */
    void warm(Duration howLong) throws Exception {
        ThreadLocal<String> names = ThreadLocal.withInitial(() -> {
            String name = "warm:" + Thread.currentThread().getId();
            shedLock.makeRow(name);
            return name;
        });
        for (Consumer<String> way : List.of(ours, byHand, sameStatements, shedLock::lockAndUnlock)) {
            Throughput.perSecond(howLong, List.of(() -> way.accept(names.get())));
        }
    }

    /** By one thread. */
    void measure(String how, int rounds, Figures figures) {
        Way surewrite = new Way(ours);
        Way handWritten = new Way(byHand);
        Way same = new Way(sameStatements);
        Way shedLocks = new Way(shedLock::lockAndUnlock);
        Way.inTurns(rounds, surewrite, handWritten, same, shedLocks);
        String what = "acquire and release, " + how + ", p50";
        figures.add(surewrite.beside(what, BY_HAND, handWritten).withGoal(Goal.atMost(1.10)));
        figures.add(surewrite.beside(what, SAME_STATEMENTS, same));
        figures.add(surewrite.beside(what, "ShedLock's requests", shedLocks).withGoal(Goal.atMost(1)));
    }

    /** By one thread, names that were never used. */
    void measureFirst(String how, int many, Figures figures) {
        List<String> names = IntStream.range(0, many)
                .mapToObj(number -> "first:" + how + number)
                .toList();
        Way surewrite = new Way(ours);
        Way handWritten = new Way(byHand);
        Way same = new Way(sameStatements);
        Way.atFirst(names, surewrite, handWritten, same);
        String what = "acquire and release, " + how + ", each name for the first time, p50";
        figures.add(surewrite.beside(what, BY_HAND, handWritten));
        figures.add(surewrite.beside(what, SAME_STATEMENTS, same));
    }

    /** By many threads, with a name each. */
    void byManyThreads(Duration busy, Figures figures) throws Exception {
        for (int threads : List.of(4, 16, 64)) {
            double surewrite = 0;
            double handWritten = 0;
            double same = 0;
            for (int turn = 0; turn < 2; turn++) {
                surewrite += perSecond(threads, busy.dividedBy(2), ours);
                handWritten += perSecond(threads, busy.dividedBy(2), byHand);
                same += perSecond(threads, busy.dividedBy(2), sameStatements);
            }
            String what = "acquire and release of " + threads + " threads, each its own name";
            figures.add(Figure.ratio(what, "/s", surewrite / 2, BY_HAND, handWritten / 2));
            figures.add(Figure.ratio(what, "/s", surewrite / 2, SAME_STATEMENTS, same / 2));
        }
    }

    private static double perSecond(int threads, Duration howLong, Consumer<String> way) throws Exception {
        return Throughput.perSecond(
                        threads,
                        howLong,
                        List.of(() -> way.accept("own:" + Thread.currentThread().getId())))
                .get(0);
    }
}
