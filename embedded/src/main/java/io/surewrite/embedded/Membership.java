package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.START_TIMEOUT;

import java.io.IOException;
import java.util.List;

/** Waits until every running node sees the others: before that a quorum may look unavailable. */
final class Membership {

    /** Replicated to every node, and there from the start. */
    private static final String READ =
            "SELECT parent_id FROM system_distributed.parent_repair_history WHERE parent_id = 00000000-0000-1000-8080-808080808080";

    private Membership() {}

    static void await(List<CassandraNode> nodes, long deadlineNanos) {
        List<CassandraNode> running =
                nodes.stream().filter(CassandraNode::isRunning).toList();
        if (nodes.size() > 1) {
            CqlConnection.Level level = level(running.size(), nodes.size());
            running.forEach(node -> await(node, level, deadlineNanos));
        }
    }

    /** The level that needs an answer from each running node. */
    private static CqlConnection.Level level(int running, int all) {
        if (running == all) {
            return CqlConnection.Level.ALL;
        }
        return switch (running) {
            case 1 -> CqlConnection.Level.ONE;
            case 2 -> CqlConnection.Level.TWO;
            case 3 -> CqlConnection.Level.THREE;
            default -> CqlConnection.Level.QUORUM;
        };
    }

    private static void await(CassandraNode node, CqlConnection.Level level, long deadlineNanos) {
        while (true) {
            try (CqlConnection connection = CqlConnection.open(node.address())) {
                connection.execute(READ, level);
                return;
            } catch (IOException e) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new EmbeddedCassandraException(
                            START_TIMEOUT,
                            "The " + node + " does not see the others: " + e.getMessage(),
                            "Give the cluster longer with surewrite.embedded.startup-timeout.",
                            e);
                }
                NodeLauncher.sleep();
            }
        }
    }
}
