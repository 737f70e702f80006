package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One statement of an entry.
 *
 * @param cql its text
 * @param tables what it writes
 * @param values for its bind markers
 * @param ttl which value is the time to live, or -1 if none is
 * @param expires when what it writes expires, or null if it does not
 */
record KeptStatement(
        String cql,
        List<Table> tables,
        List<KeptValue> values,
        int ttl,
        @Nullable Instant expires) {

    KeptStatement {
        tables = List.copyOf(tables);
        values = List.copyOf(values);
    }

    boolean isExpired(Instant now) {
        return expires != null && !expires.isAfter(now);
    }

    record Table(CqlIdentifier keyspace, CqlIdentifier name) {}
}
