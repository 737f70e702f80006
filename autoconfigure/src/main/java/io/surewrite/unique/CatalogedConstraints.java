package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.util.List;
import java.util.Optional;

/** Finds the table of a constraint, with all constraints that it has. */
final class CatalogedConstraints implements UniqueConstraints {

    private final CqlSession session;
    private final GuardParts parts;
    private final CassandraClaimStore claims;
    private final Prepared builds;
    private final Prepared duplicates;
    private final UniqueScanSettings settings;
    private final UniqueCatalog catalog;

    CatalogedConstraints(
            CqlSession session,
            GuardParts parts,
            CassandraClaimStore claims,
            UniqueTables tables,
            UniqueScanSettings settings,
            UniqueCatalog catalog) {
        this.session = session;
        this.parts = parts;
        this.claims = claims;
        this.builds = new Prepared(session, tables.builds());
        this.duplicates = new Prepared(session, tables.duplicates());
        this.settings = settings;
        this.catalog = catalog;
    }

    @Override
    public UniqueReport build(String constraint) {
        return scan("build", constraint).build();
    }

    @Override
    public UniqueReport repair(String constraint, boolean dryRun) {
        return scan(dryRun ? "audit" : "repair", constraint).repair(dryRun);
    }

    @Override
    public long sweep(String constraint) {
        return scan("sweep", constraint).sweep();
    }

    @Override
    public Optional<UniqueReport> lastBuild(String constraint) {
        UniqueCatalog.Entry entry = entry(constraint);
        return record(entry, requests("lastBuild", entry)).find().map(BuildRecord.Progress::report);
    }

    private ScanRequests requests(String operation, UniqueCatalog.Entry entry) {
        return new ScanRequests(
                parts, "%s of %s".formatted(operation, entry.constraint().name()));
    }

    private TableScan scan(String operation, String constraint) {
        UniqueCatalog.Entry entry = entry(constraint);
        ScanRequests requests = requests(operation, entry);
        requireMurmur3(requests);
        List<UniqueConstraint> all = catalog.entries().stream()
                .filter(other -> other.table().equals(entry.table()))
                .map(UniqueCatalog.Entry::constraint)
                .toList();
        CqlRows rows = CqlRows.of(session, table(entry), all);
        return new TableScan(parts, claims, rows, entry.constraint(), record(entry, requests), settings, requests);
    }

    private BuildRecord record(UniqueCatalog.Entry entry, ScanRequests requests) {
        return new BuildRecord(
                session, requests, builds, duplicates, entry.constraint().name());
    }

    private UniqueCatalog.Entry entry(String constraint) {
        return catalog.entry(constraint)
                .orElseThrow(() -> new IllegalArgumentException("There is no unique constraint '%s'; there are %s"
                        .formatted(
                                constraint,
                                catalog.entries().stream()
                                        .map(entry -> entry.constraint().name())
                                        .toList())));
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
        Row local = requests.get(session, () -> All.done(asked)).one();
        String partitioner = local == null ? "none" : String.valueOf(local.getString(0));
        if (!partitioner.endsWith(".Murmur3Partitioner")) {
            throw new IllegalStateException(
                    "Tables can only be looked at where Murmur3Partitioner is, not with " + partitioner);
        }
    }
}
