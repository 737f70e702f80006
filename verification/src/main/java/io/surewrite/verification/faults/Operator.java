package io.surewrite.verification.faults;

import io.surewrite.embedded.CassandraNode;
import io.surewrite.embedded.EmbeddedCassandra;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;

/** Does to a cluster what operators do. */
final class Operator {

    private static final Duration SETTLED = Duration.ofMinutes(2);

    /** So that a name without a holder is noticed after the last. */
    private static final Duration QUIET = LeaseTrial.LONGEST_BLOCKED.plusSeconds(4);

    private final EmbeddedCassandra cluster;
    private final History history;
    private final Random random;

    private Operator(Run run, History history, long seed) {
        this.cluster = run.cluster();
        this.history = history;
        this.random = new Random(seed);
    }

    /** Restarts one node after the other, drained first; whole rounds. */
    static void restartEach(Run run, History history, long seed, long end) throws InterruptedException {
        Operator operator = new Operator(run, history, seed);
        do {
            operator.restartEach();
        } while (System.nanoTime() < end);
    }

    /**
     * Restarts each of three nodes, adds a fourth and cleans up behind it, decommissions one of the four, replaces one that
     * dies, repairs all, in full and Paxos alone; whole rounds.
     */
    static void operate(Run run, History history, long seed, long end) throws InterruptedException {
        Operator operator = new Operator(run, history, seed);
        do {
            operator.goRound();
        } while (System.nanoTime() < end);
        Thread.sleep(QUIET.toMillis());
    }

    private void restartEach() throws InterruptedException {
        onEach("nodes restarted", node -> {
            node.drain();
            node.restart();
            cluster.awaitMembers(SETTLED);
        });
    }

    private void goRound() throws InterruptedException {
        restartEach();
        operate("nodes added", cluster::addNode);
        onEach("cleanups", node -> node.cleanUp(Run.KEYSPACE));
        operate("nodes decommissioned", () -> cluster.decommission(any()));
        CassandraNode dead = any();
        die(dead);
        operate("nodes repaired with live replicas", () -> survivor().repairWithLiveReplicas(Run.KEYSPACE));
        operate("dead nodes replaced", () -> cluster.replace(dead));
        onEach("nodes repaired in full", node -> node.repair(Run.KEYSPACE));
        onEach("nodes repaired, Paxos only", node -> node.repairPaxos(Run.KEYSPACE));
    }

    private void die(CassandraNode node) throws InterruptedException {
        long from = System.nanoTime();
        String name = node.toString();
        node.kill();
        cluster.awaitMembers(SETTLED);
        history.add(Event.NODE_FAULT, name + ", killed", 0, from);
        pause();
    }

    private CassandraNode any() {
        return cluster.node(random.nextInt(cluster.nodes().size()));
    }

    private CassandraNode survivor() {
        return cluster.nodes().stream()
                .filter(CassandraNode::isAlive)
                .findFirst()
                .orElseThrow();
    }

    private void onEach(String what, Consumer<CassandraNode> operation) throws InterruptedException {
        for (CassandraNode node : cluster.nodes()) {
            operate(what, () -> operation.accept(node));
        }
    }

    private void operate(String what, Runnable operation) throws InterruptedException {
        long from = System.nanoTime();
        operation.run();
        history.add(Event.OPERATED, what, 0, from);
        System.out.printf("%-34s %6.1f s%n", what, (System.nanoTime() - from) / 1e9);
        pause();
    }

    private void pause() throws InterruptedException {
        Thread.sleep(random.nextLong(1_000, 4_000));
    }
}
