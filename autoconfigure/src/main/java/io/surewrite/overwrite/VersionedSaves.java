package io.surewrite.overwrite;

import java.util.function.BiFunction;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.UpdateOptions;
import org.springframework.data.cassandra.core.cql.WriteOptions;
import org.springframework.data.mapping.PersistentEntity;

/**
 * Entities with a version are written by Spring Data's conditional insert and update: a partition that lightweight
 * transactions write must see no plain write, and the condition needs the old row.
 */
final class VersionedSaves {

    private VersionedSaves() {}

    static <R> R save(
            Object entity,
            PersistentEntity<?, ?> mapping,
            boolean knownNew,
            OverwriteOptions options,
            BiFunction<Object, InsertOptions, R> insert,
            BiFunction<Object, UpdateOptions, R> update) {
        return knownNew || mapping.isNew(entity)
                ? insert.apply(entity, with(options, InsertOptions.builder()).withInsertNulls(!knownNew).build())
                : update.apply(entity, with(options, UpdateOptions.builder()).build());
    }

    private static <B extends WriteOptions.WriteOptionsBuilder> B with(OverwriteOptions options, B builder) {
        if (options.timestamp() != null || options.detectTies()) {
            throw new UnsupportedOverwriteException("An entity with a version is written by a conditional update, which"
                    + " takes its timestamp from the server and cannot tie.");
        }
        if (options.ttl() != null) {
            builder.ttl(options.ttl());
        }
        if (options.consistency() != null) {
            builder.consistencyLevel(options.consistency());
        }
        return builder;
    }
}
