package io.surewrite.backlog.replay;

import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.util.List;

/** Knows whether a statement may wait, and what it writes. */
@FunctionalInterface
public interface StatementInspector {

    /**
     * Looks at a statement.
     *
     * @param cql its text, as the server would get it
     * @return what was found
     */
    Inspection inspect(String cql);

    /**
     * What was found.
     *
     * @param reasons why the statement must not wait; empty if it may
     * @param tables what it writes, each table as often as it is written
     * @param ttlMarkers which bind markers, counted from 0, are times to live
     * @param timestampMarkers which bind markers, counted from 0, are write timestamps
     */
    record Inspection(
            List<String> reasons,
            List<TableMetadata> tables,
            List<Integer> ttlMarkers,
            List<Integer> timestampMarkers) {

        /** Copies the lists. */
        public Inspection {
            reasons = List.copyOf(reasons);
            tables = List.copyOf(tables);
            ttlMarkers = List.copyOf(ttlMarkers);
            timestampMarkers = List.copyOf(timestampMarkers);
        }
    }
}
