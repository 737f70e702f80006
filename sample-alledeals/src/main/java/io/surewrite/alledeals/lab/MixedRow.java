package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Run.Fate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.stereotype.Component;

/** A row is taken by a condition and released by a plain write: Cassandra merges the two column by column. */
@Component
class MixedRow implements Experiment {

    private static final int TTL_SECONDS = 3;
    private static final int SHORT_MILLIS = 50;
    private static final String GONE = "no row";

    private final CqlOperations cql;
    private final LabLocks locks;

    MixedRow(CqlOperations cql, LabLocks locks) {
        this.cql = cql;
        this.locks = locks;
    }

    @Override
    public String name() {
        return "mixed";
    }

    @Override
    public Verdict plain(Run run) throws Exception {
        List<String> ids = begin(run);
        run.as("Anna", () -> {
            take(ids.get(0), TTL_SECONDS);
            release(ids.get(0));
            take(ids.get(1), 0);
            release(ids.get(1));
            return take(ids.get(2), TTL_SECONDS);
        });
        run.as("Bert", () -> cql.execute("UPDATE cass_lab_plain_lock SET revision = 2 WHERE id = ?", ids.get(2)));
        return verdict(run, ids, this::plainRow);
    }

    private boolean take(String id, int ttl) {
        return cql.execute(
                "INSERT INTO cass_lab_plain_lock (id, lock, revision) VALUES (?, true, 1) IF NOT EXISTS USING TTL ?",
                id,
                ttl);
    }

    /** By a client whose clock shows the moment in which the row was taken. */
    private void release(String id) {
        long taken = Objects.requireNonNull(
                cql.queryForObject("SELECT writetime(lock) FROM cass_lab_plain_lock WHERE id = ?", Long.class, id));
        cql.execute(
                "UPDATE cass_lab_plain_lock USING TIMESTAMP ? SET lock = false, revision = 2 WHERE id = ?", taken, id);
    }

    private String plainRow(String id) {
        List<Map<String, Object>> rows =
                cql.queryForList("SELECT lock, revision FROM cass_lab_plain_lock WHERE id = ?", id);
        return rows.isEmpty() ? GONE : row(rows.get(0).get("lock"), rows.get(0).get("revision"));
    }

    @Override
    public Verdict sure(Run run) throws Exception {
        List<String> ids = begin(run);
        run.as("Anna", () -> takeAndSave(ids.get(0), false));
        run.as("Anna", () -> takeAndSave(ids.get(1), false));
        run.as("Anna and Bert", () -> takeAndSave(ids.get(2), true));
        return verdict(
                run,
                ids,
                id -> locks.findById(id)
                        .map(found -> row(found.lock(), found.revision()))
                        .orElse(GONE));
    }

    private LabLock takeAndSave(String id, boolean lock) {
        LabLock taken = locks.save(new LabLock(id, true, null, null));
        return locks.save(new LabLock(id, lock, taken.revision(), null));
    }

    private static List<String> begin(Run run) throws InterruptedException {
        List<String> ids =
                Stream.generate(() -> "lock " + UUID.randomUUID()).limit(3).toList();
        run.begin();
        ids.forEach(id -> run.watch("somebody", id));
        run.faults((message, random) -> Fate.slow(random.nextInt(SHORT_MILLIS)));
        return ids;
    }

    private static Verdict verdict(Run run, List<String> ids, UnaryOperator<String> row) throws Exception {
        run.settle();
        List<String> released = ids.stream().limit(2).map(row).toList();
        String third;
        for (third = row.apply(ids.get(2)); isTaken(third); third = row.apply(ids.get(2))) {
            Thread.sleep(SHORT_MILLIS);
        }
        return new Verdict(
                "Released: %s. Expired: %s".formatted(String.join("; ", released), third),
                released.stream().noneMatch(MixedRow::isTaken) && third.equals(GONE));
    }

    private static boolean isTaken(String row) {
        return row.startsWith("lock true");
    }

    private static String row(@Nullable Object lock, @Nullable Object revision) {
        return "lock %s, revision %s".formatted(lock, revision);
    }
}
