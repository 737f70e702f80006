package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
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
        return scan(constraint).build();
    }

    @Override
    public UniqueReport repair(String constraint, boolean dryRun) {
        return scan(constraint).repair(dryRun);
    }

    @Override
    public long sweep(String constraint) {
        return scan(constraint).sweep();
    }

    @Override
    public Optional<UniqueReport> lastBuild(String constraint) {
        return record(entry(constraint)).find().map(BuildRecord.Progress::report);
    }

    private TableScan scan(String constraint) {
        UniqueCatalog.Entry entry = entry(constraint);
        requireMurmur3();
        List<UniqueConstraint> all = catalog.entries().stream()
                .filter(other -> other.table().equals(entry.table()))
                .map(UniqueCatalog.Entry::constraint)
                .toList();
        CqlRows rows = CqlRows.of(session, table(entry), all);
        return new TableScan(parts, claims, rows, entry.constraint(), record(entry), settings);
    }

    private BuildRecord record(UniqueCatalog.Entry entry) {
        return new BuildRecord(session, builds, duplicates, entry.constraint().name());
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

    private void requireMurmur3() {
        String partitioner = String.valueOf(session.execute("SELECT partitioner FROM system.local")
                .all()
                .get(0)
                .getString(0));
        if (!partitioner.endsWith(".Murmur3Partitioner")) {
            throw new IllegalStateException(
                    "Tables can only be looked at where Murmur3Partitioner is, not with " + partitioner);
        }
    }
}
