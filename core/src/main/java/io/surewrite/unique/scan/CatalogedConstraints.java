package io.surewrite.unique.scan;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.session.Prepared;
import io.surewrite.cql.settle.ConditionalProfile;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.UniqueReport;
import io.surewrite.unique.UniqueReport.Duplicate;
import io.surewrite.unique.UniqueReport.State;
import io.surewrite.unique.UniqueScanSettings;
import io.surewrite.unique.UniqueSettings;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.catalog.UniqueCatalog;
import io.surewrite.unique.claims.CassandraClaimStore;
import io.surewrite.unique.claims.ExistingRowClaims;
import io.surewrite.unique.claims.ExistingRowClaims.Finding;
import io.surewrite.unique.claims.ExistingRowClaims.Twins;
import io.surewrite.unique.claims.GuardParts;
import io.surewrite.unique.claims.RowSnapshot;
import io.surewrite.unique.claims.Stages;
import io.surewrite.unique.rows.CqlRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the table of a constraint, with all constraints that it has, and builds, audits or repairs its claims. */
public final class CatalogedConstraints implements UniqueConstraints {

    private static final Logger log = LoggerFactory.getLogger(CatalogedConstraints.class);

    private static final long SAVED_EVERY = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LOGGED_EVERY = TimeUnit.SECONDS.toNanos(10);

    private final CqlSession session;
    private final GuardParts parts;
    private final CassandraClaimStore claims;
    private final Prepared builds;
    private final Prepared duplicates;
    private final UniqueScanSettings scans;
    private final UniqueCatalog catalog;

    /**
     * Tables of Surewrite that are needed, as CQL names them, with their keyspace where that is not the session's.
     *
     * @param claims the table of claims
     * @param builds how far builds are
     * @param duplicates the rows without a claim that builds have found
     */
    public record Tables(String claims, String builds, String duplicates) {}

    /**
     * The constraints of a session's repositories.
     *
     * @param session the session; it stays open
     * @param writes how conditional writes run
     * @param tables the tables of ours
     * @param settings how values are guarded
     * @param scans how tables are looked at
     * @param catalog the constraints that can be asked for
     * @param listener hears what happens
     */
    public CatalogedConstraints(
            CqlSession session,
            ConditionalWrites writes,
            Tables tables,
            UniqueSettings settings,
            UniqueScanSettings scans,
            UniqueCatalog catalog,
            UniqueListener listener) {
        this.session = ConditionalProfile.DEFAULT.on(session);
        this.claims = new CassandraClaimStore(this.session, writes, tables.claims(), settings);
        this.parts = GuardParts.of(this.session, claims, settings, listener);
        this.builds = new Prepared(this.session, tables.builds());
        this.duplicates = new Prepared(this.session, tables.duplicates());
        this.scans = scans;
        this.catalog = catalog;
    }

    @Override
    public UniqueReport build(String constraint) {
        return scan("build", constraint, Scan::build);
    }

    @Override
    public UniqueReport repair(String constraint, boolean dryRun) {
        return scan(dryRun ? "audit" : "repair", constraint, scan -> scan.repair(dryRun));
    }

    @Override
    public Optional<UniqueReport> lastBuild(String constraint) {
        UniqueCatalog.Entry entry = catalog.require(constraint);
        return record(entry, new ScanRequests(session, parts, "lastBuild of " + constraint))
                .find()
                .map(BuildRecord.Progress::report);
    }

    private BuildRecord record(UniqueCatalog.Entry entry, ScanRequests requests) {
        return new BuildRecord(requests, builds, duplicates, entry.constraint().name());
    }

    /** The same failure for every step that had no answer. */
    private UniqueReport scan(String operation, String constraint, Function<Scan, UniqueReport> work) {
        UniqueCatalog.Entry entry = catalog.require(constraint);
        ScanRequests requests = new ScanRequests(session, parts, "%s of %s".formatted(operation, constraint));
        requireMurmur3(requests);
        Scan scan = new Scan(entry, requests);
        try {
            return work.apply(scan);
        } catch (RuntimeException failure) {
            throw requests.reported(failure);
        }
    }

    private CqlRows rows(UniqueCatalog.Entry entry) {
        return CqlRows.of(
                session,
                table(entry),
                catalog.entries().stream()
                        .filter(other -> other.table().equals(entry.table()))
                        .map(UniqueCatalog.Entry::constraint)
                        .toList());
    }

    private TableMetadata table(UniqueCatalog.Entry entry) {
        return session.getMetadata().getKeyspaces().values().stream()
                .flatMap(keyspace -> keyspace.getTables().values().stream())
                .filter(table -> entry.table()
                        .equals(table.getKeyspace().asCql(true) + "."
                                + table.getName().asCql(true)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("There is no table " + entry.table()));
    }

    private void requireMurmur3(ScanRequests requests) {
        SimpleStatement asked = SimpleStatement.newInstance("SELECT partitioner FROM system.local");
        Row local = requests.get(() -> Stages.done(asked)).one();
        String partitioner = local == null ? "none" : String.valueOf(local.getString(0));
        if (!partitioner.endsWith(".Murmur3Partitioner")) {
            throw new IllegalStateException(
                    "Tables can only be looked at where Murmur3Partitioner is, not with " + partitioner);
        }
    }

    /** Goes through a table, and the table of claims, slice by slice, for one constraint. Used once, by one thread. */
    private final class Scan {

        private final String name;
        private final UniqueConstraint constraint;
        private final CqlRows rows;
        private final BuildRecord record;
        private final ScanRequests requests;
        private final BoundedSteps steps = new BoundedSteps(scans);
        private final ScanTally tally = new ScanTally(this::shown);
        private long savedAt = System.nanoTime();
        private long loggedAt = System.nanoTime();

        private Scan(UniqueCatalog.Entry entry, ScanRequests requests) {
            this.constraint = entry.constraint();
            this.name = constraint.name();
            this.rows = rows(entry);
            this.record = record(entry, requests);
            this.requests = requests;
        }

        // ---- build ----

        UniqueReport build() {
            Optional<BuildRecord.Progress> unfinished =
                    record.find().filter(found -> found.report().state() == State.UNFINISHED);
            unfinished.ifPresentOrElse(found -> tally.add(found.report()), this::startAnew);
            long from = unfinished.map(BuildRecord.Progress::position).orElse(Long.MIN_VALUE);
            log.info("Building the claims of {}, {}", name, unfinished.isEmpty() ? "from the beginning" : "going on");
            ExistingRowClaims making = claimsOfRows(tally, duplicate -> {
                tally.add(duplicate);
                return record.add(duplicate);
            });
            for (TokenSlice slice : TokenSlice.behind(from, scans.slices())) {
                scanRows(slice, making::claim);
                UniqueReport soFar = tally.report(name, State.UNFINISHED, TokenSlice.share(slice.upto()));
                tell(soFar);
                if (System.nanoTime() - savedAt > SAVED_EVERY) {
                    record.save(slice.upto(), soFar);
                    savedAt = System.nanoTime();
                }
            }
            return ended(true, lookAgain());
        }

        /** Duplicates of earlier builds stay until they are looked at again: a build that began as well may have found them. */
        private void startAnew() {
            record.save(Long.MIN_VALUE, tally.report(name, State.UNFINISHED, 0));
        }

        /** {@return a tally in which the duplicates of all processes that took part are, as far as they still are some} */
        private ScanTally lookAgain() {
            ScanTally all = new ScanTally(this::shown);
            all.add(tally.report(name, State.UNFINISHED, 1));
            record.forEachDuplicate(duplicate -> steps.begin(() -> lookAgain(duplicate, all)));
            steps.await();
            return all;
        }

        private CompletionStage<Void> lookAgain(Twins duplicate, ScanTally all) {
            if (!rows.isKey(duplicate.holder()) || !rows.isKey(duplicate.other())) {
                return record.remove(
                        duplicate); // of a table with another primary key, which had this constraint before
            }
            List<Twins> still = new CopyOnWriteArrayList<>();
            ExistingRowClaims again = claimsOfRows(all, found -> {
                still.add(found);
                return Stages.done();
            });
            return again.claimAgain(duplicate).thenCompose(done -> {
                still.forEach(all::add);
                return still.isEmpty() ? record.remove(duplicate) : record.add(still.get(0));
            });
        }

        // ---- audit and repair ----

        UniqueReport repair(boolean dryRun) {
            ExistingRowClaims checking = claimsOfRows(tally, duplicate -> {
                tally.add(duplicate);
                return Stages.done();
            });
            for (TokenSlice slice : TokenSlice.behind(Long.MIN_VALUE, scans.slices())) {
                scanRows(slice, (row, value) -> checking.check(row, value, !dryRun));
                scanClaims(slice, checking, !dryRun);
                tell(tally.report(name, State.UNFINISHED, TokenSlice.share(slice.upto())));
            }
            return ended(false, tally);
        }

        /** As the application knows it. */
        private Duplicate shown(Twins twins) {
            Map<String, @Nullable String> value = new LinkedHashMap<>();
            List<@Nullable String> parts = UniqueValue.decode(twins.value()).parts();
            for (int i = 0; i < parts.size(); i++) {
                value.put(constraint.components().get(i).property(), parts.get(i));
            }
            return new Duplicate(value, rows.namedKey(twins.holder()), rows.namedKey(twins.other()));
        }

        // ---- slices ----

        private ExistingRowClaims claimsOfRows(ScanTally counting, Function<Twins, CompletionStage<Void>> duplicates) {
            return new ExistingRowClaims(parts, rows, constraint, counting::count, duplicates);
        }

        private void scanClaims(TokenSlice slice, ExistingRowClaims checking, boolean fixes) {
            requests.forEach(
                    () -> claims.selectRange(slice.after(), slice.upto(), scans.pageSize()),
                    row -> CassandraClaimStore.scanned(row, name)
                            .ifPresent(claim -> steps.begin(() -> checking.checkClaim(claim, fixes))));
            steps.await();
        }

        private void scanRows(TokenSlice slice, BiFunction<RowSnapshot, UniqueValue, CompletionStage<Void>> step) {
            Function<Row, Optional<RowSnapshot>> scanned = rows.scanned(constraint);
            requests.forEach(
                    () -> rows.selectRange(constraint, slice.after(), slice.upto(), scans.pageSize()),
                    row -> scanned.apply(row).ifPresent(shown -> {
                        if (shown.isUnclaimable(constraint)) {
                            tally.unclaimable.increment();
                        }
                        shown.value(constraint).ifPresent(value -> {
                            tally.rows.increment();
                            steps.begin(() -> step.apply(shown, value));
                        });
                    }));
            steps.await();
        }

        private UniqueReport ended(boolean saves, ScanTally found) {
            UniqueReport report = found.report(name, found.state(), 1);
            if (saves) {
                record.save(Long.MAX_VALUE, report);
            }
            parts.listener().scanned(report);
            log(report);
            return report;
        }

        private void tell(UniqueReport soFar) {
            parts.listener().scanned(soFar);
            if (System.nanoTime() - loggedAt > LOGGED_EVERY) {
                log(soFar);
                loggedAt = System.nanoTime();
            }
        }

        private void log(UniqueReport report) {
            log.info(
                    "Unique constraint {}: {} % looked at, {} rows, {} claims made or found, {} rows had none, {} duplicates, {} orphans, {} removed; {}",
                    report.constraint(),
                    Math.round(100 * report.progress()),
                    report.rows(),
                    report.claimed(),
                    report.missing(),
                    report.duplicates(),
                    report.orphans(),
                    report.freed(),
                    report.state());
        }
    }

    /**
     * What builds leave in tables, so that another process can go on: how far they are, and the duplicates they found.
     *
     * @param requests repeats what has no answer
     * @param builds the table of progress
     * @param duplicates the table of duplicates
     * @param constraint the constraint's name
     */
    private record BuildRecord(ScanRequests requests, Prepared builds, Prepared duplicates, String constraint) {

        private static final String SAVE = """
                INSERT INTO %s (constraint_name, state, position, row_count, claim_count, unclaimable_count, duplicate_count,
                    changed_at)
                VALUES (:constraint_name, :state, :position, :row_count, :claim_count, :unclaimable_count, :duplicate_count,
                    :changed_at)""";

        private static final String FIND = "SELECT * FROM %s WHERE constraint_name = :constraint_name";

        private static final String ADD = """
                INSERT INTO %s (constraint_name, value, other, holder) VALUES (:constraint_name, :value, :other, :holder)""";

        private static final String REMOVE = """
                DELETE FROM %s WHERE constraint_name = :constraint_name AND value = :value AND other = :other""";

        private static final int PAGE = 500;

        /**
         * How far a build is.
         *
         * @param position the token up to which all rows were looked at
         * @param report what was found; without the duplicates themselves
         */
        record Progress(long position, UniqueReport report) {}

        void save(long position, UniqueReport report) {
            execute(
                    builds,
                    SAVE,
                    bound -> bound.setString("state", report.state().name())
                            .setLong("position", position)
                            .setLong("row_count", report.rows())
                            .setLong("claim_count", report.claimed())
                            .setLong("unclaimable_count", report.unclaimable())
                            .setLong("duplicate_count", report.duplicates())
                            .setInstant("changed_at", Instant.now()));
        }

        Optional<Progress> find() {
            return Optional.ofNullable(execute(builds, FIND, bound -> bound).one())
                    .map(this::progress);
        }

        private Progress progress(Row row) {
            long position = row.getLong("position");
            return new Progress(
                    position,
                    new UniqueReport(
                            constraint,
                            State.valueOf(row.getString("state")),
                            TokenSlice.share(position),
                            row.getLong("row_count"),
                            row.getLong("claim_count"),
                            0,
                            0,
                            0,
                            row.getLong("unclaimable_count"),
                            row.getLong("duplicate_count"),
                            List.of()));
        }

        /** Called on any thread. */
        CompletionStage<Void> add(Twins duplicate) {
            return requests.send(bound(
                            duplicates, ADD, bound -> named(bound, duplicate).setString("holder", duplicate.holder())))
                    .thenAccept(done -> {});
        }

        CompletionStage<Void> remove(Twins duplicate) {
            return requests.send(bound(duplicates, REMOVE, bound -> named(bound, duplicate)))
                    .thenAccept(done -> {});
        }

        private static BoundStatementBuilder named(BoundStatementBuilder bound, Twins duplicate) {
            return bound.setString("value", duplicate.value()).setString("other", duplicate.other());
        }

        void forEachDuplicate(Consumer<Twins> found) {
            requests.forEach(
                    bound(duplicates, FIND, bound -> bound.setPageSize(PAGE)),
                    row -> found.accept(new Twins(text(row, "value"), text(row, "holder"), text(row, "other"))));
        }

        private static String text(Row row, String column) {
            return Objects.requireNonNull(row.getString(column));
        }

        private AsyncResultSet execute(Prepared table, String cql, UnaryOperator<BoundStatementBuilder> values) {
            return requests.get(bound(table, cql, values));
        }

        private Supplier<CompletionStage<BoundStatement>> bound(
                Prepared table, String cql, UnaryOperator<BoundStatementBuilder> values) {
            return () -> table.bound(cql, bound -> values.apply(bound.setString("constraint_name", constraint)));
        }
    }

    /** What a scan has found so far. Thread safe. */
    static final class ScanTally {

        private static final int SHOWN = 1_000;

        final LongAdder rows = new LongAdder();
        final LongAdder claimed = new LongAdder();
        final LongAdder missing = new LongAdder();
        final LongAdder orphans = new LongAdder();
        final LongAdder freed = new LongAdder();
        final LongAdder unclaimable = new LongAdder();

        private final Function<Twins, Duplicate> shown;
        private final LongAdder duplicates = new LongAdder();
        private final List<Duplicate> first = new ArrayList<>();

        void count(Finding finding) {
            switch (finding) {
                case CLAIMED -> claimed.increment();
                case MISSING -> missing.increment();
                case ORPHAN -> orphans.increment();
                case FREED -> freed.increment();
            }
        }

        /**
         * @param shown a duplicate as reports show it
         */
        ScanTally(Function<Twins, Duplicate> shown) {
            this.shown = shown;
        }

        void add(Twins duplicate) {
            duplicates.increment();
            synchronized (first) {
                if (first.size() < SHOWN) {
                    first.add(shown.apply(duplicate));
                }
            }
        }

        /** Goes on from what an earlier scan had found. */
        void add(UniqueReport earlier) {
            rows.add(earlier.rows());
            claimed.add(earlier.claimed());
            unclaimable.add(earlier.unclaimable());
        }

        /** {@return what is known when all was looked at} */
        State state() {
            long unclaimed = missing.sum() - claimed.sum();
            return duplicates.sum() + unclaimable.sum() > 0 || unclaimed > 0 ? State.VIOLATED : State.VALID;
        }

        UniqueReport report(String constraint, State state, double progress) {
            synchronized (first) {
                return new UniqueReport(
                        constraint,
                        state,
                        progress,
                        rows.sum(),
                        claimed.sum(),
                        missing.sum(),
                        orphans.sum(),
                        freed.sum(),
                        unclaimable.sum(),
                        duplicates.sum(),
                        first);
            }
        }
    }
}
