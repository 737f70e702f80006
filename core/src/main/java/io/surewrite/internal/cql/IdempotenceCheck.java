package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.internal.cql.TableLookup.ColumnShape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides, before the first call, whether a write may be run twice: with the same values and the same timestamp, the
 * second run must change nothing, whatever others wrote in between.
 *
 * <p>It accepts nothing it does not understand. It refuses some statements that would be harmless; they are listed in
 * {@code docs/idempotence.md}. It looks at the schema of this moment: a column that becomes a list, or a table that
 * gets a default time to live, while the application runs, is not refused. A later check finds it.
 *
 * @param extendTtl whether a relative time to live may pass, in the text or as the table's default, as the user has accepted:
 *     the data then lives its time from the last attempt that reached the server, which is later than the first by the
 *     deadline of the retries at most
 * @param settles whether the condition of a statement may pass, as what becomes of it is settled; never that of a batch
 */
public record IdempotenceCheck(boolean extendTtl, boolean settles) {

    /** Refuses conditions. */
    public IdempotenceCheck(boolean extendTtl) {
        this(extendTtl, false);
    }

    /**
     * Looks at a statement as it stands in {@code @Query}, with bind markers or Spring Data's placeholders.
     *
     * @return every reason against it; never an exception for bad text, which is refused as not understood
     */
    public IdempotenceVerdict check(@Nullable String cql, TableLookup schema) {
        String text = cql == null ? "" : cql;
        Findings findings = new Findings(text, extendTtl);
        try {
            new StatementReader(StatementReader.tokenize(text), findings, schema, settles).read();
        } catch (StatementReader.RefusedException refused) {
            findings.refuse(refused.reason, refused.token);
        }
        return findings.verdict();
    }

    /** Looks at a write that overwrites whole columns, as inserting or saving an entity does. */
    public IdempotenceVerdict checkOverwrite(TableMetadata table, Collection<CqlIdentifier> columns) {
        Findings findings = findings(table);
        TargetTable target = new TargetTable(table);
        if (!target.keepsRowsForever()) {
            findings.noteDefaultTtl(() -> findings.refuse(RefusalReason.RELATIVE_TTL, table.getName()));
        }
        for (CqlIdentifier column : columns) {
            Optional<ColumnShape> shape = target.shapeOf(column);
            if (shape.isEmpty()) {
                findings.refuse(RefusalReason.UNKNOWN_COLUMN, column);
            } else if (shape.get() == ColumnShape.LIST) {
                findings.refuse(RefusalReason.LIST_OVERWRITE, column);
            }
        }
        return findings.verdict();
    }

    /**
     * Looks at a deletion of whole rows or columns that the application does not write as text, as a derived
     * {@code deleteBy} does.
     */
    public IdempotenceVerdict checkDelete(TableMetadata table) {
        return findings(table).verdict();
    }

    /** What is found against any write to a table. */
    private Findings findings(TableMetadata table) {
        Findings findings = new Findings("", extendTtl);
        findings.tables.add(table);
        new TargetTable(table).reasonAgainst().ifPresent(reason -> findings.refuse(reason, table.getName()));
        return findings;
    }

    /**
     * What {@link IdempotenceCheck} found. All but the refusals is for those who want to do the write later; of a refused write
     * it says what was understood.
     *
     * @param refusals every reason against a retry that was found; empty if the write may be retried
     * @param tables the tables that it writes, each as often as it is written
     * @param ttlMarkers which bind markers, counted from 0, are times to live
     * @param timestampMarkers which bind markers, counted from 0, are write timestamps. The server gives them precedence over
     *     the pinned one, which still counts for the statements of a batch that state none
     * @param fixedTtl whether a time to live stands in the text, other than 0
     * @param fixedTimestamp whether a timestamp stands in the text
     * @param defaultTtl whether a table gives the rows a time to live that the text does not state
     */
    public record IdempotenceVerdict(
            List<Refusal> refusals,
            List<TableMetadata> tables,
            List<Integer> ttlMarkers,
            List<Integer> timestampMarkers,
            boolean fixedTtl,
            boolean fixedTimestamp,
            boolean defaultTtl) {

        public IdempotenceVerdict {
            refusals = List.copyOf(refusals);
            tables = List.copyOf(tables);
            ttlMarkers = List.copyOf(ttlMarkers);
            timestampMarkers = List.copyOf(timestampMarkers);
        }

        /** The refusals, each in one sentence for the user. */
        public List<String> reasons() {
            return refusals.stream().map(Refusal::message).toList();
        }

        /** {@return why a write that may be repeated must not wait, each with its fix} */
        public List<String> reasonsAgainstWaiting() {
            List<String> reasons = new ArrayList<>();
            if (fixedTtl) {
                reasons.add("its time to live stands in the text, and would begin anew. Fix: bind it: USING TTL ?");
            }
            if (defaultTtl) {
                reasons.add("the time to live of its table would begin anew. Fix: state it: USING TTL ?");
            }
            if (fixedTimestamp) {
                reasons.add("its timestamp stands in the text. Fix: leave it out or bind it: USING TIMESTAMP ?");
            }
            return reasons;
        }

        /**
         * One part of a write that makes it unfit for a retry.
         *
         * @param line the line of the token, from 1; 0 if there is no text, as for an entity
         * @param column the position of the token in its line, from 1; 0 if there is no text
         */
        public record Refusal(RefusalReason reason, String token, int line, int column) {

            /** The refusal in one sentence for the user, with token, position, reason and fix. */
            public String message() {
                String where = line == 0 ? "" : " (line " + line + ", column " + column + ")";
                return "'" + token + "'" + where + ": " + reason.text() + ". Fix: " + reason.fix() + ".";
            }
        }
    }
}
