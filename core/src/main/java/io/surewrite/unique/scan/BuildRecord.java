package io.surewrite.unique.scan;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.unique.UniqueReport;
import io.surewrite.unique.UniqueReport.State;
import io.surewrite.unique.claims.ExistingRowClaims.Twins;
import io.surewrite.unique.claims.Prepared;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What builds leave in tables, so that another process can go on: how far they are, and the duplicates they found.
 *
 * @param requests repeats what has no answer
 * @param builds the table of progress
 * @param duplicates the table of duplicates
 * @param constraint the constraint's name
 */
record BuildRecord(ScanRequests requests, Prepared builds, Prepared duplicates, String constraint) {

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
        return Optional.ofNullable(execute(builds, FIND, bound -> bound).one()).map(this::progress);
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
