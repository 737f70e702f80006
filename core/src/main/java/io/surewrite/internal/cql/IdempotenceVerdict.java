package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.util.List;

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

    /** Copies the lists. */
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

    /**
     * One part of a write that makes it unfit for a retry.
     *
     * @param reason why it is refused
     * @param token the part of the text, or the column, that is refused
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
