package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Prepared statements that must stay prepared while the cluster is away: the driver keeps only those that somebody holds.
 */
final class HeldStatements {

    /** Who makes more texts than this makes them of values, and no memory would be enough. */
    private static final int MOST = 2_000;

    private final Map<String, PreparedStatement> held = new ConcurrentHashMap<>();

    void hold(PreparedStatement statement) {
        if (held.get(statement.getQuery()) != statement && held.size() < MOST) {
            held.put(statement.getQuery(), statement);
        }
    }

    /** The statement that was prepared of this text, or null. */
    @Nullable
    PreparedStatement find(String cql) {
        return held.get(cql);
    }
}
