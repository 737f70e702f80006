package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Prepared statements that must stay prepared while the cluster is away: the driver keeps only those that somebody holds.
 */
final class HeldStatements {

    /** Who makes more texts than this makes them of values, and no memory would be enough. */
    private static final int MOST = 2_000;

    private final Set<PreparedStatement> held = ConcurrentHashMap.newKeySet();

    void hold(PreparedStatement statement) {
        if (!held.contains(statement) && held.size() < MOST) {
            held.add(statement);
        }
    }
}
