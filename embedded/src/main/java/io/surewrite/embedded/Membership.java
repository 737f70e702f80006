package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.START_TIMEOUT;

import java.io.IOException;
import java.util.List;

/** Waits until every running node knows which others run: before that a quorum may look unavailable. */
final class Membership {

    /** Replicated to every node that a cluster began with, and there from the start. */
    private static final String READ =
            "SELECT parent_id FROM system_distributed.parent_repair_history WHERE parent_id = 00000000-0000-1000-8080-808080808080";

    private Membership() {}

    /**
     * Waits.
     *
     * @param nodes all members, running or not
     * @param replicas how many nodes the cluster began with
     */
    static void await(List<CassandraNode> nodes, int replicas, long deadlineNanos) {
        List<CassandraNode> running =
                nodes.stream().filter(CassandraNode::isRunning).toList();
        if (nodes.size() > 1) {
            List<String> all = addresses(nodes);
            List<String> alive = addresses(running);
            CqlConnection.Level level = level(running.size(), nodes.size(), replicas);
            running.forEach(node -> {
                await(node, deadlineNanos, () -> node.ring().shows(all, alive));
                await(node, deadlineNanos, () -> answers(node, level));
            });
        }
    }

    private static List<String> addresses(List<CassandraNode> nodes) {
        return nodes.stream()
                .map(node -> node.address().getAddress().getHostAddress())
                .toList();
    }

    /** The level that needs an answer from each running node, if each is a replica. */
    private static CqlConnection.Level level(int running, int all, int replicas) {
        if (running == all) {
            return CqlConnection.Level.ALL;
        }
        return all > replicas
                ? CqlConnection.Level.QUORUM
                : switch (running) {
                    case 1 -> CqlConnection.Level.ONE;
                    case 2 -> CqlConnection.Level.TWO;
                    case 3 -> CqlConnection.Level.THREE;
                    default -> CqlConnection.Level.QUORUM;
                };
    }

    private static boolean answers(CassandraNode node, CqlConnection.Level level) throws IOException {
        try (CqlConnection connection = CqlConnection.open(node.address())) {
            connection.execute(READ, level);
            return true;
        }
    }

    /** A look at one node. */
    private interface Look {
        boolean isGood() throws IOException;
    }

    private static void await(CassandraNode node, long deadlineNanos, Look look) {
        while (true) {
            IOException failure;
            try {
                if (look.isGood()) {
                    return;
                }
                failure = new IOException("it knows other nodes");
            } catch (IOException e) {
                failure = e;
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new EmbeddedCassandraException(
                        START_TIMEOUT,
                        "The " + node + " does not see the others: " + failure.getMessage(),
                        "Give the cluster longer with surewrite.embedded.startup-timeout.",
                        failure);
            }
            NodeLauncher.sleep();
        }
    }
}
