package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.cql.TableLookup;
import io.surewrite.internal.lwt.ConditionalProfile;
import io.surewrite.internal.session.Prepared;
import io.surewrite.unique.ExistingRowClaims.Finding;
import io.surewrite.unique.ExistingRowClaims.Twins;
import io.surewrite.unique.TableScan.Slice;
import io.surewrite.unique.UniqueReport.Duplicate;
import io.surewrite.unique.WholeTable.UniqueScanSettings;
import io.surewrite.write.ConditionalWrites;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the table of a constraint, with all constraints that it has, and goes through its rows and claims by one scan: an
 * audit tells what differs, a repair fixes it. A repair writes down how far it is, and the duplicates that it finds.
 */
final class CatalogedConstraints implements UniqueConstraints {

    private static final Logger log = LoggerFactory.getLogger(CatalogedConstraints.class);

    /** What was written without the constraint since an older repair began would never be looked at. */
    private static final Duration GOES_ON_WITHIN = Duration.ofDays(1);

    private static final int SHOWN = 1_000;
    private static final int LOGGED = 10;

    private final CqlSession session;
    private final GuardParts parts;
    private final CassandraClaimStore claims;
    private final Prepared repairs;
    private final UniqueScanSettings scans;
    private final UniqueCatalog catalog;

    CatalogedConstraints(
            CqlSession session,
            ConditionalWrites writes,
            String claims,
            String repairs,
            UniqueSettings settings,
            UniqueScanSettings scans,
            UniqueCatalog catalog) {
        this.session = ConditionalProfile.DEFAULT.on(session);
        this.claims = new CassandraClaimStore(this.session, writes, claims, settings);
        this.parts = GuardParts.of(this.session, this.claims, settings, ObservationRegistry.NOOP);
        this.repairs = new Prepared(this.session, repairs);
        this.scans = scans;
        this.catalog = catalog;
    }

    @Override
    public UniqueReport audit(String constraint) {
        return scan("audit", constraint, scan -> scan.run(false));
    }

    @Override
    public UniqueReport repair(String constraint) {
        return scan("repair", constraint, scan -> scan.run(true));
    }

    @Override
    public Optional<UniqueReport> lastRepair(String constraint) {
        return scan("lastRepair", constraint, scan -> scan.find() ? Optional.of(scan.report()) : Optional.empty());
    }

    private <T> T scan(String operation, String constraint, Function<Scan, T> work) {
        UniqueCatalog.Entry entry = catalog.require(constraint);
        requireMurmur3();
        TableScan scan = new TableScan(session, parts, "%s of %s".formatted(operation, constraint), scans);
        Scan of = new Scan(entry, scan);
        try {
            return work.apply(of);
        } catch (RuntimeException failure) {
            throw scan.reported(failure);
        }
    }

    private void requireMurmur3() {
        Optional<String> partitioner = session.getMetadata().getTokenMap().map(TokenMap::getPartitionerName);
        if (partitioner.isPresent() && !partitioner.get().endsWith(".Murmur3Partitioner")) {
            throw new IllegalStateException(
                    "Tables can only be looked at where Murmur3Partitioner is, not with " + partitioner.get());
        }
    }

    /** Goes through a table, and the table of claims, slice by slice, for one constraint. Used once, by one thread. */
    private final class Scan {

        private static final String POSITION = "POSITION";

        /** Whether a repair removes claims: not before one has come to its end. */
        private static final String FREES = "FREES";

        private static final String ROWS = "ROWS";
        private static final String UNCLAIMABLE = "UNCLAIMABLE";

        private static final String FIND = """
            SELECT value, holder, other, state, table_id, changed_at FROM %s
            WHERE constraint_name = :constraint_name LIMIT 1001\
            """; // the state, and the duplicates that are shown

        private static final String SAVE = """
            INSERT INTO %s (constraint_name, value, other, state, table_id, changed_at)
            VALUES (:constraint_name, '', '', :state, :table_id, :changed_at)\
            """;

        private static final String ADD = """
            INSERT INTO %s (constraint_name, value, other, holder) VALUES (:constraint_name, :value, :other, :holder)\
            """;

        private static final String FORGET = "DELETE FROM %s WHERE constraint_name = :constraint_name";

        private final String name;
        private final UniqueConstraint constraint;
        private final UUID table;
        private final CqlRows rows;
        private final TableScan scan;

        /** How far it is and what was found. Written down as one value: two processes may repair at the same time. */
        private final Map<String, Long> state = new ConcurrentHashMap<>();

        /** A slice that a repair has not ended is looked at again by the next one. */
        private final Set<Duplicate> duplicates = Collections.synchronizedSet(new LinkedHashSet<>());

        private Instant changedAt = Instant.MIN;

        private Scan(UniqueCatalog.Entry entry, TableScan scan) {
            this.constraint = entry.constraint();
            this.name = constraint.name();
            this.rows = entry.rows().get();
            TableMetadata known = rows.table().metadata();
            this.table = TableLookup.of(session)
                    .findTable(known.getKeyspace(), known.getName())
                    .flatMap(TableMetadata::getId)
                    .orElseThrow(() -> new IllegalStateException("There is no table " + entry.table()));
            this.scan = scan;
        }

        UniqueReport run(boolean repairs) {
            boolean looksAtClaims = !repairs || begin();
            ExistingRowClaims checking = new ExistingRowClaims(parts, rows, constraint, repairs, twins -> {
                show(twins);
                return repairs ? add(twins) : Stages.done();
            });
            for (Slice slice : TableScan.slicesBehind(position(), scans.slices())) {
                scanRows(slice, checking);
                if (looksAtClaims) {
                    scanClaims(slice, checking);
                }
                state.put(POSITION, slice.upto());
                if (repairs) {
                    save();
                }
            }
            return logged(report(), repairs);
        }

        private void scanRows(Slice slice, ExistingRowClaims checking) {
            scan.forEach(
                    () -> rows.selectRange(slice.after(), slice.upto(), scans.pageSize()),
                    row -> rows.scanned(row).ifPresent(shown -> {
                        if (shown.isUnclaimable(constraint)) {
                            count(UNCLAIMABLE);
                        }
                        shown.value(constraint).ifPresent(value -> {
                            count(ROWS);
                            scan.begin(() -> checking.check(shown, value).thenAccept(this::count));
                        });
                    }));
            scan.await();
        }

        private void scanClaims(Slice slice, ExistingRowClaims checking) {
            scan.forEach(
                    () -> claims.selectRange(slice.after(), slice.upto(), scans.pageSize()),
                    row -> CassandraClaimStore.scanned(row, name)
                            .ifPresent(claim ->
                                    scan.begin(() -> checking.checkClaim(claim).thenAccept(this::count))));
            scan.await();
        }

        private void count(Object what) {
            state.merge(what.toString(), 1L, Long::sum);
        }

        private long counted(Object what) {
            return state.getOrDefault(what.toString(), 0L);
        }

        private long position() {
            return state.getOrDefault(POSITION, Long.MIN_VALUE);
        }

        UniqueReport report() {
            return new UniqueReport(
                    name,
                    TableScan.share(position()),
                    counted(ROWS),
                    counted(Finding.CLAIMED),
                    counted(Finding.MISSING),
                    counted(Finding.FREED),
                    counted(Finding.ORPHAN),
                    counted(UNCLAIMABLE),
                    counted(Finding.DUPLICATE),
                    List.copyOf(duplicates));
        }

        /** Keys lead to the rows; values stay out of logs. */
        private UniqueReport logged(UniqueReport report, boolean repairs) {
            Map<String, Long> found = new TreeMap<>(state);
            found.keySet().removeAll(Set.of(POSITION, FREES, Finding.RIGHT.name()));
            log.info("Unique constraint {}: all looked at, found {}", name, found);
            List<Duplicate> shown = report.firstDuplicates();
            if (report.duplicates() > 0) {
                log.warn(
                        "Unique constraint {} is not valid: of {} row(s) another row has the value, the first are {}. Fix: change or"
                                + " delete one row of each pair, then repair the constraint{}",
                        name,
                        report.duplicates(),
                        shown.subList(0, Math.min(LOGGED, shown.size())),
                        repairs
                                ? " again. The report has %d of them: lastRepair(\"%s\") of UniqueConstraints, or the endpoint uniqueconstraints"
                                        .formatted(shown.size(), name)
                                : "");
            }
            return report;
        }

        private void show(Twins twins) {
            Map<String, @Nullable String> value = new LinkedHashMap<>();
            List<@Nullable String> parts = UniqueValue.decode(twins.value()).parts();
            for (int i = 0; i < parts.size(); i++) {
                value.put(constraint.components().get(i).property(), parts.get(i));
            }
            Duplicate shown = new Duplicate(value, rows.namedKey(twins.holder()), rows.namedKey(twins.other()));
            if (duplicates.size() < SHOWN) {
                duplicates.add(shown);
            }
        }

        /** Goes on where a repair of any process was ended, or begins anew. {@return whether claims are removed, too} */
        private boolean begin() {
            boolean ended = find() && position() == Long.MAX_VALUE;
            boolean frees = ended || state.containsKey(FREES);
            if (ended || changedAt.isBefore(Instant.now().minus(GOES_ON_WITHIN))) {
                state.clear();
                duplicates.clear();
                if (frees) {
                    state.put(FREES, 1L);
                }
                scan.get(bound(FORGET, bound -> bound));
                save();
            }
            return frees;
        }

        /** {@return whether there was a repair of this table: another one may have had its name} */
        boolean find() {
            scan.forEach(bound(FIND, bound -> bound.setPageSize(scans.pageSize())), row -> {
                if (table.equals(row.getUuid("table_id"))) {
                    state.putAll(Objects.requireNonNull(row.getMap("state", String.class, Long.class)));
                    changedAt = Objects.requireNonNull(row.getInstant("changed_at"));
                } else if (!state.isEmpty() && row.getString("holder") != null) {
                    show(new Twins(text(row, "value"), text(row, "holder"), text(row, "other")));
                }
            });
            return !state.isEmpty();
        }

        private static String text(Row row, String column) {
            return Objects.requireNonNull(row.getString(column));
        }

        private void save() {
            Map<String, Long> saved = new LinkedHashMap<>(state);
            saved.put(POSITION, position());
            scan.get(bound(
                    SAVE,
                    bound -> bound.setMap("state", saved, String.class, Long.class)
                            .setUuid("table_id", table)
                            .setInstant("changed_at", Instant.now())));
        }

        private CompletionStage<Void> add(Twins twins) {
            return scan.send(bound(
                            ADD,
                            bound -> bound.setString("value", twins.value())
                                    .setString("other", twins.other())
                                    .setString("holder", twins.holder())))
                    .thenAccept(done -> {});
        }

        private Supplier<CompletionStage<BoundStatement>> bound(
                String statement, UnaryOperator<BoundStatementBuilder> values) {
            return () -> repairs.bound(statement, bound -> values.apply(bound.setString("constraint_name", name)));
        }
    }
}
