package io.surewrite.verification.faults;

import io.surewrite.embedded.CassandraNode;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.verification.Arguments;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * {@link LeaseFaults} and {@link UniqueFaults} on a cluster that is operated: while two processes of each are at work, an operator
 * restarts each of three nodes, adds a fourth and cleans up behind it, decommissions one of the four, replaces one that dies,
 * repairs all, in full and Paxos alone; again and again, each round to its end. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pfaults-operated package}; {@code -Dverification.argument=1200,v2} has rounds
 * begin for 20 minutes with one variant of Paxos alone.
 */
public final class OperatedFaults {

    private static final Duration SETTLED = Duration.ofMinutes(2);

    /** A machine that builds may be busy, and this one has up to four servers beside four clients. */
    private static final Duration LONGEST_BLOCKED = LeaseFaults.LONGEST_BLOCKED.plusSeconds(4);

    private final EmbeddedCassandra cluster;
    private final History history;
    private final Random random;

    private OperatedFaults(EmbeddedCassandra cluster, History history, long seed) {
        this.cluster = cluster;
        this.history = history;
        this.random = new Random(seed);
    }

    /**
     * Runs for a while with each variant and throws if anything was wrong.
     *
     * @param args for how many seconds rounds begin, and the variants of Paxos, as one text with a comma
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, "60", "v1+v2");
        for (String paxos : arguments.text(1).split("\\+", -1)) {
            String name = "operated-" + paxos;
            Ordeal.run(
                            name,
                            arguments.text(0),
                            List.of(new LeaseFaults(2, LONGEST_BLOCKED), new UniqueFaults(2, 50)),
                            () -> new Run(
                                    name,
                                    EmbeddedCassandra.builder()
                                            .nodes(3)
                                            .heapMegabytes(384)
                                            .setting("paxos_variant", paxos)
                                            // What the nodes that join have, too: whoever leaves waits as long.
                                            .jvmArgument("-Dcassandra.ring_delay_ms=10000"),
                                    List.of()),
                            OperatedFaults::operate)
                    .throwIfWrong();
        }
    }

    private static void operate(Run run, History history, long seed, long end) throws InterruptedException {
        OperatedFaults operator = new OperatedFaults(run.cluster(), history, seed);
        do {
            operator.goRound();
        } while (System.nanoTime() < end);
        Thread.sleep(LONGEST_BLOCKED.toMillis());
    }

    private void goRound() throws InterruptedException {
        for (CassandraNode node : cluster.nodes()) {
            operate("nodes restarted", () -> {
                node.drain();
                node.restart();
                cluster.awaitMembers(SETTLED);
            });
        }
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

    private interface Operation {
        void apply(CassandraNode node);
    }

    private void onEach(String what, Operation operation) throws InterruptedException {
        for (CassandraNode node : cluster.nodes()) {
            operate(what, () -> operation.apply(node));
        }
    }

    private void operate(String what, Runnable operation) throws InterruptedException {
        long from = System.nanoTime();
        operation.run();
        long to = System.nanoTime();
        history.add(Event.OPERATED, what, 0, from);
        System.out.printf("%-34s %6.1f s%n", what, (to - from) / 1e9);
        pause();
    }

    private void pause() throws InterruptedException {
        Thread.sleep(random.nextLong(1_000, 4_000));
    }
}
