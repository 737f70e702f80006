package io.surewrite.verification.faults;

import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.embedded.EmbeddedCassandraBuilder;
import java.time.Duration;
import java.util.List;

/**
 * The fault runs. {@code mvn -pl verification -am -Pfaults -Drun=lease process-classes} makes one, with {@code -Dseconds=1200}
 * one of 20 minutes, and with {@code -Dpaxos=v1} one with the other variant of Paxos. {@code mvn verify} makes the short one.
 */
public final class Faults {

    /** Three nodes, clients and what builds beside them are much for one machine. */
    private static final Duration BUSY = LeaseTrial.LONGEST_BLOCKED.plusSeconds(4);

    private Faults() {}

    /**
     * Makes one run and throws if anything was wrong.
     *
     * @param args which run, for how many seconds, and the variant of Paxos
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        String run = args[0];
        EmbeddedCassandraBuilder nodes = EmbeddedCassandra.builder().setting("paxos_variant", args[2]);
        switch (run) {
            case "short", "lease", "unique", "retry", "backlog", "restart", "operated" ->
                ordeal(run, nodes.nodes(3)).run(seconds(args));
            case "data-centres" -> {
                for (String level : List.of("serial", "local-serial")) {
                    DataCentres.at(level, BUSY).run(seconds(args));
                }
            }
            default -> throw new IllegalArgumentException("There is no run " + run);
        }
    }

    private static Duration seconds(String[] args) {
        return Duration.ofSeconds(Long.parseLong(args[1]));
    }

    private static Ordeal ordeal(String run, EmbeddedCassandraBuilder nodes) {
        return switch (run) {
            case "lease" ->
                ordeal(run, nodes, Nemesis::strikeAgainAndAgain, new LeaseTrial(3, LeaseTrial.LONGEST_BLOCKED));
            case "unique" -> ordeal(run, nodes, Nemesis::strikeAgainAndAgain, new UniqueTrial(4, 0));
            case "retry" -> ordeal(run, nodes, Nemesis::strikeAgainAndAgain, new WriteTrial(2, "retry"));
            case "backlog" -> ordeal(run, nodes, Outages::takeTheClusterAway, new WriteTrial(3, "backlog"));
            case "restart" -> ordeal(run, nodes, Operator::restartEach, UniqueTrial.undisputed());
            case "operated" ->
                ordeal(
                        run,
                        nodes.heapMegabytes(384)
                                // What the nodes that join have, too: whoever leaves waits as long.
                                .jvmArgument("-Dcassandra.ring_delay_ms=10000"),
                        Operator::operate,
                        new LeaseTrial(2, BUSY),
                        new UniqueTrial(2, 50));
            default ->
                ordeal(run, nodes, Nemesis::strikeAgainAndAgain, new LeaseTrial(2, BUSY), new UniqueTrial(2, 50));
        };
    }

    private static Ordeal ordeal(
            String run, EmbeddedCassandraBuilder nodes, Ordeal.Disturbance disturbance, Trial... trials) {
        return new Ordeal(run, nodes, List.of(), disturbance, List.of(trials));
    }
}
