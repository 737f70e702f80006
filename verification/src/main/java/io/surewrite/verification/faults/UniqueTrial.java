package io.surewrite.verification.faults;

import io.surewrite.testsupport.RowJudge.Kind;
import io.surewrite.testsupport.RowJudge.Operation;
import io.surewrite.testsupport.RowJudge.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Threads that want 100 values for rows of two tables, one of them with a set and a map. They insert, read, save, overwrite and
 * delete them, a few of them most of the time: one owner a value, and each row is one register, whose value is the whole row.
 */
final class UniqueTrial implements Trial {

    private final int clients;
    private final int pauseMillis;
    private final boolean isUndisputed;

    UniqueTrial(int clients, int pauseMillis) {
        this(clients, pauseMillis, false);
    }

    private UniqueTrial(int clients, int pauseMillis, boolean isUndisputed) {
        this.clients = clients;
        this.pauseMillis = pauseMillis;
        this.isUndisputed = isUndisputed;
    }

    /** Some 50 calls a second, each thread with a row of its own and new values, so that nothing but the cluster can fail a call. */
    static UniqueTrial undisputed() {
        return new UniqueTrial(1, 200, true);
    }

    @Override
    public void begin(Run run) throws IOException {
        for (int i = 0; i < clients; i++) {
            run.startClient(UniqueClient.class, String.valueOf(pauseMillis), String.valueOf(isUndisputed));
        }
    }

    @Override
    public void look(Run run) {
        tables(run).forEach(UniqueRows::look);
    }

    /** After the last lease is over everybody gets a clear answer for every value. */
    @Override
    public void lookAtTheEnd(Run run) throws InterruptedException {
        if (isUndisputed) {
            return;
        }
        Thread.sleep(5_000);
        for (UniqueRows<?> rows : tables(run)) {
            int free = insertEveryValue(rows);
            int there = rows.look().size();
            System.out.printf("%d values were free at the end, %d rows are there%n", free, there);
            if (there != UniqueRows.VALUES) {
                throw new IllegalStateException("%d rows for %d values".formatted(there, UniqueRows.VALUES));
            }
        }
    }

    /** {@return how many values were free} */
    private static int insertEveryValue(UniqueRows<?> rows) throws InterruptedException {
        List<Callable<Boolean>> inserts = IntStream.range(0, UniqueRows.VALUES)
                .mapToObj(rows::value)
                .<Callable<Boolean>>map(value -> () -> rows.insert(value) != Outcome.FAILED)
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            int free = 0;
            for (Future<Boolean> inserted : threads.invokeAll(inserts)) {
                free += inserted.get() ? 1 : 0;
            }
            return free;
        } catch (ExecutionException failure) {
            throw new IllegalStateException("An insert failed without an answer", failure.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    @Override
    public Verdict judge(List<Event> events) {
        UniqueChecker checker = new UniqueChecker();
        List<String> violations = new ArrayList<>(checker.violations(events));
        if (isUndisputed) {
            events.stream()
                    // Plain reads have no number, and no retry.
                    .filter(event -> event.number() > 0 && (event.is(Event.FAILED) || event.is(Event.REFUSED)))
                    .forEach(event -> violations.add(event + ": nothing may fail here"));
        }
        List<Operation> all =
                checker.rows().values().stream().flatMap(List::stream).toList();
        List<Operation> calls =
                all.stream().filter(operation -> operation.kind() != Kind.READ).toList();
        Map<Outcome, Long> outcomes = calls.stream()
                .collect(Collectors.groupingBy(
                        Operation::outcome, () -> new EnumMap<>(Outcome.class), Collectors.counting()));
        String summary =
                "Unique values: %d rows, %d calls that wrote or deleted them (%s), %d reads; %d late writes showed for a moment"
                        .formatted(
                                checker.rows().size(),
                                calls.size(),
                                outcomes,
                                all.size() - calls.size(),
                                checker.flickers());
        long clear = calls.size() - outcomes.getOrDefault(Outcome.UNKNOWN, 0L);
        return new Verdict(summary, clear, violations);
    }

    private static List<UniqueRows<?>> tables(Run run) {
        return UniqueRows.of(run.application(), run.history());
    }
}
