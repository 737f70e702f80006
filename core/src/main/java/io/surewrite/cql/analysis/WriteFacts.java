package io.surewrite.cql.analysis;

import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.util.List;

/**
 * What a statement writes, for those who want to do it later.
 *
 * @param tables the tables, each as often as it is written
 * @param ttlMarkers which bind markers, counted from 0, are times to live
 * @param timestampMarkers which bind markers, counted from 0, are write timestamps
 * @param fixedTtl whether a time to live stands in the text, other than 0
 * @param fixedTimestamp whether a timestamp stands in the text
 * @param defaultTtl whether a table gives the rows a time to live that the text does not state
 */
public record WriteFacts(
        List<TableMetadata> tables,
        List<Integer> ttlMarkers,
        List<Integer> timestampMarkers,
        boolean fixedTtl,
        boolean fixedTimestamp,
        boolean defaultTtl) {

    /** Copies the lists. */
    public WriteFacts {
        tables = List.copyOf(tables);
        ttlMarkers = List.copyOf(ttlMarkers);
        timestampMarkers = List.copyOf(timestampMarkers);
    }
}
