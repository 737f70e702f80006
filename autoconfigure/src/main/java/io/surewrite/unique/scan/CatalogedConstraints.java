package io.surewrite.unique.scan;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.cql.settle.ConditionalProfile;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.UniqueReport;
import io.surewrite.unique.UniqueScanSettings;
import io.surewrite.unique.UniqueSettings;
import io.surewrite.unique.catalog.UniqueCatalog;
import io.surewrite.unique.claims.CassandraClaimStore;
import io.surewrite.unique.claims.GuardParts;
import io.surewrite.unique.claims.Prepared;
import io.surewrite.unique.claims.Stages;
import io.surewrite.unique.rows.CqlRows;
import java.util.List;
import java.util.Optional;

/** Finds the table of a constraint, with all constraints that it has. */
public final class CatalogedConstraints implements UniqueConstraints {

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
        UniqueCatalog.Entry entry = catalog.require(constraint);
        return record(entry, requests("lastBuild", entry)).find().map(BuildRecord.Progress::report);
    }

    private ScanRequests requests(String operation, UniqueCatalog.Entry entry) {
        return new ScanRequests(
                parts, "%s of %s".formatted(operation, entry.constraint().name()));
    }

    private TableScan scan(String operation, String constraint) {
        UniqueCatalog.Entry entry = catalog.require(constraint);
        ScanRequests requests = requests(operation, entry);
        requireMurmur3(requests);
        List<UniqueConstraint> all = catalog.entries().stream()
                .filter(other -> other.table().equals(entry.table()))
                .map(UniqueCatalog.Entry::constraint)
                .toList();
        CqlRows rows = CqlRows.of(session, table(entry), all);
        return new TableScan(
                session, parts, claims, rows, entry.constraint(), record(entry, requests), scans, requests);
    }

    private BuildRecord record(UniqueCatalog.Entry entry, ScanRequests requests) {
        return new BuildRecord(
                session, requests, builds, duplicates, entry.constraint().name());
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
        Row local = requests.get(session, () -> Stages.done(asked)).one();
        String partitioner = local == null ? "none" : String.valueOf(local.getString(0));
        if (!partitioner.endsWith(".Murmur3Partitioner")) {
            throw new IllegalStateException(
                    "Tables can only be looked at where Murmur3Partitioner is, not with " + partitioner);
        }
    }
}
