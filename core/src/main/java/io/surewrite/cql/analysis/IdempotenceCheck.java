package io.surewrite.cql.analysis;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides, before the first call, whether a write may be run twice: with the same values and the same timestamp, the
 * second run must change nothing, whatever others wrote in between.
 *
 * <p>It accepts nothing it does not understand. It refuses some statements that would be harmless; they are listed in
 * {@code docs/idempotence.md}. It looks at the schema of this moment: a column that becomes a list, or a table that
 * gets a default time to live, while the application runs, is not refused. A later check finds it.
 */
public final class IdempotenceCheck {

    private final Set<Allowance> allowed;

    /**
     * A check that lets pass what the user has accepted.
     *
     * @param allowed what to let pass, often nothing
     */
    public IdempotenceCheck(Set<Allowance> allowed) {
        this.allowed = Set.copyOf(allowed);
    }

    /**
     * Looks at a statement as it stands in {@code @Query}, with bind markers or Spring Data's placeholders.
     *
     * @param cql one statement
     * @param schema the tables it may write
     * @return every reason against it; never an exception for bad text, which is refused as not understood
     */
    public IdempotenceVerdict check(@Nullable String cql, TableLookup schema) {
        String text = cql == null ? "" : cql;
        Findings findings = new Findings(text);
        try {
            TokenCursor tokens = new TokenCursor(CqlTokenizer.tokenize(text));
            new StatementReader(tokens, findings, schema, allowed).read();
        } catch (RefusedException refused) {
            findings.refuse(refused.reason(), refused.token());
        }
        return findings.verdict();
    }

    /**
     * Looks at a write that overwrites whole columns, as inserting or saving an entity does.
     *
     * @param table the table that is written
     * @param columns the columns that are written
     */
    public IdempotenceVerdict checkOverwrite(TableMetadata table, Collection<CqlIdentifier> columns) {
        TargetTable target = new TargetTable(table);
        Findings findings = new Findings("");
        target.reasonAgainst().ifPresent(reason -> findings.refuse(reason, table.getName()));
        findings.noteTable(target);
        if (!target.keepsRowsForever()) {
            findings.noteDefaultTtl();
            if (!allowed.contains(Allowance.EXTENDING_TTL)) {
                findings.refuse(RefusalReason.RELATIVE_TTL, table.getName());
            }
        }
        columns.forEach(column -> target.shapeOf(column)
                .ifPresentOrElse(
                        shape -> {
                            if (shape == ColumnShape.LIST) {
                                findings.refuse(RefusalReason.LIST_OVERWRITE, column);
                            }
                        },
                        () -> findings.refuse(RefusalReason.UNKNOWN_COLUMN, column)));
        return findings.verdict();
    }

    /**
     * Looks at a deletion of whole rows or columns that the application does not write as text, as a derived
     * {@code deleteBy} does.
     *
     * @param table the table that is written
     */
    public IdempotenceVerdict checkDelete(TableMetadata table) {
        Findings findings = new Findings("");
        findings.noteTable(new TargetTable(table));
        new TargetTable(table).reasonAgainst().ifPresent(reason -> findings.refuse(reason, table.getName()));
        return findings.verdict();
    }
}
