package io.surewrite.verification.faults;

import io.surewrite.embedded.CassandraNode;
import io.surewrite.embedded.EmbeddedCassandra;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;

/** Does to a cluster what operators do. */
final class Operator {

    /** So that a name without a holder is noticed after the last. */
    private static final Duration QUIET = LeaseTrial.LONGEST_BLOCKED.plusSeconds(4);

    private final Run run;
    private final EmbeddedCassandra cluster;
    private final Random random;

    private Operator(Run run, Random random) {
        this.run = run;
        this.cluster = run.cluster();
        this.random = random;
    }

    /** Restarts one node after the other, drained first; whole rounds. */
    static void restartEach(Run run, Random random, long end) throws IOException, InterruptedException {
        Operator operator = new Operator(run, random);
        do {
            operator.restartEach();
        } while (System.nanoTime() < end);
    }

    /**
     * Restarts each of three nodes, adds a fourth and cleans up behind it, decommissions one of the four, replaces one that
     * dies, repairs all, in full and Paxos alone; whole rounds.
     */
    static void operate(Run run, Random random, long end) throws IOException, InterruptedException {
        Operator operator = new Operator(run, random);
        do {
            operator.goRound();
        } while (System.nanoTime() < end);
        Thread.sleep(QUIET.toMillis());
    }

    private void restartEach() throws IOException, InterruptedException {
        onEach("nodes restarted", node -> {
            node.drain();
            node.restart();
            run.awaitMembers();
        });
    }

    private void goRound() throws IOException, InterruptedException {
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

    private void die(CassandraNode node) throws IOException, InterruptedException {
        run.during(Event.NODE_FAULT, node + ", killed", () -> {
            node.kill();
            run.awaitMembers();
        });
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

    private void onEach(String what, Consumer<CassandraNode> operation) throws IOException, InterruptedException {
        for (CassandraNode node : cluster.nodes()) {
            operate(what, () -> operation.accept(node));
        }
    }

    private void operate(String what, Runnable operation) throws IOException, InterruptedException {
        long from = System.nanoTime();
        run.during(Event.OPERATED, what, operation::run);
        System.out.printf("%-34s %6.1f s%n", what, (System.nanoTime() - from) / 1e9);
        pause();
    }

    private void pause() throws InterruptedException {
        Thread.sleep(random.nextLong(1_000, 4_000));
    }
}
