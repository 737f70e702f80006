package io.surewrite.overwrite;

import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.UpdateOptions;

/**
 * Entities with a version are written by Spring Data's conditional insert and update: a partition that lightweight
 * transactions write must see no plain write, and the condition needs the old row.
 */
final class VersionedSaves {

    private VersionedSaves() {}

    static void check(OverwriteOptions options) {
        if (options.timestamp() != null || options.detectTies()) {
            throw new UnsupportedOverwriteException("An entity with a version is written by a conditional update, which"
                    + " takes its timestamp from the server and cannot tie.");
        }
    }

    static InsertOptions insert(OverwriteOptions options) {
        InsertOptions.InsertOptionsBuilder builder = InsertOptions.builder();
        if (options.ttl() != null) {
            builder.ttl(options.ttl());
        }
        if (options.consistency() != null) {
            builder.consistencyLevel(options.consistency());
        }
        return builder.build();
    }

    static UpdateOptions update(OverwriteOptions options) {
        UpdateOptions.UpdateOptionsBuilder builder = UpdateOptions.builder();
        if (options.ttl() != null) {
            builder.ttl(options.ttl());
        }
        if (options.consistency() != null) {
            builder.consistencyLevel(options.consistency());
        }
        return builder.build();
    }
}
