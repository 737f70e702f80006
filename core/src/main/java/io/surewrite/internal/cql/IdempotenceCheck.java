package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import io.surewrite.internal.cql.StatementReader.RefusedException;
import io.surewrite.internal.rows.TableColumn;
import io.surewrite.internal.rows.TableColumn.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides, before the first call, whether a write may be run twice: with the same values and the same timestamp, the second run must
 * change nothing, whatever others wrote in between. It accepts nothing it does not understand, and looks at the schema of this moment.
 *
 * @param extendTtl whether a relative time to live may pass: the data then lives its time from the last attempt that reached the server
 * @param settles whether the condition of a statement may pass, as what becomes of it is settled; never that of a batch
 */
public record IdempotenceCheck(boolean extendTtl, boolean settles) {

    private static final CqlIdentifier DEFAULT_TTL = CqlIdentifier.fromInternal("default_time_to_live");

    public IdempotenceCheck(boolean extendTtl) {
        this(extendTtl, false);
    }

    /** Looks at a statement as it stands in {@code @Query}; bad text is refused as not understood. */
    public IdempotenceVerdict check(@Nullable String cql, TableLookup schema) {
        String text = cql == null ? "" : cql;
        Findings findings = new Findings(text, extendTtl);
        try {
            CqlTokenizer read = new CqlTokenizer(text);
            if (read.misread != null) {
                throw new RefusedException(RefusalReason.NOT_UNDERSTOOD, read.misread);
            }
            new IdempotenceReader(read.tokens, findings, schema, settles).read();
        } catch (RefusedException refused) {
            findings.refuse(refused.reason, refused.token);
        }
        return findings.verdict();
    }

    /** Looks at a write that overwrites whole columns, as inserting or saving an entity does. */
    public IdempotenceVerdict checkOverwrite(TableMetadata table, Collection<CqlIdentifier> columns) {
        Findings findings = findings(table);
        if (!keepsRowsForever(table)) {
            findings.noteDefaultTtl(() -> findings.refuse(RefusalReason.RELATIVE_TTL, table.getName()));
        }
        for (CqlIdentifier column : columns) {
            Optional<Role> shape = roleOf(table, column);
            if (shape.isEmpty()) {
                findings.refuse(RefusalReason.UNKNOWN_COLUMN, column);
            } else if (shape.get() == Role.LIST) {
                findings.refuse(RefusalReason.LIST_OVERWRITE, column);
            }
        }
        return findings.verdict();
    }

    /** Looks at a deletion that is no text, as a derived {@code deleteBy} does. */
    public IdempotenceVerdict checkDelete(TableMetadata table) {
        return findings(table).verdict();
    }

    private Findings findings(TableMetadata table) {
        Findings findings = new Findings("", extendTtl);
        findings.tables.add(table);
        reasonAgainst(table).ifPresent(reason -> findings.refuse(reason, table.getName()));
        return findings;
    }

    static Optional<Role> roleOf(TableMetadata table, CqlIdentifier column) {
        return table.getColumn(column).map(ColumnMetadata::getType).map(TableColumn::roleOf);
    }

    /** Why no write to this table at all may be retried, if so. */
    static Optional<RefusalReason> reasonAgainst(TableMetadata table) {
        if (table.getColumns().values().stream()
                .anyMatch(column -> column.getType().equals(DataTypes.COUNTER))) {
            return Optional.of(RefusalReason.COUNTER);
        }
        // A virtual table does whatever its code does.
        return table.isVirtual() ? Optional.of(RefusalReason.NOT_A_ROW_WRITE) : Optional.empty();
    }

    /** Whether rows written without a word on it live forever; false if the metadata does not say. */
    static boolean keepsRowsForever(TableMetadata table) {
        return table.getOptions().get(DEFAULT_TTL) instanceof Number ttl && ttl.longValue() == 0;
    }

    /**
     * All but the refusals is for those who want to do the write later; of a refused write it says what was understood.
     *
     * @param tables the tables that it writes, each as often as it is written
     * @param ttlMarkers which bind markers, counted from 0, are times to live
     * @param timestampMarkers which are timestamps, which the server prefers to the pinned one; that counts for parts without one
     * @param fixedTtl whether a time to live stands in the text, other than 0
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

        public List<String> reasons() {
            return refusals.stream().map(Refusal::message).toList();
        }

        /** Why a write that may be repeated must not wait, each with its fix. */
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

        /** A part of a write that makes it unfit for a retry; line and column count from 1, and are 0 if there is no text. */
        public record Refusal(RefusalReason reason, String token, int line, int column) {

            public String message() {
                String where = line == 0 ? "" : " (line " + line + ", column " + column + ")";
                return "'" + token + "'" + where + ": " + reason.text() + ". Fix: " + reason.fix() + ".";
            }
        }
    }
}
