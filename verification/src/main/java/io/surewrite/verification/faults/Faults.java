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

    /** Makes one run and throws if anything was wrong. */
    public static void main(String[] args) throws Exception {
        Duration howLong = Duration.ofSeconds(Long.parseLong(args[1]));
        EmbeddedCassandraBuilder nodes = EmbeddedCassandra.builder().setting("paxos_variant", args[2]);
        if (args[0].equals("data-centres")) {
            for (String level : List.of("serial", "local-serial")) {
                DataCentres.run(level, BUSY, howLong);
            }
        } else {
            Run.make(args[0], nodes.nodes(3), List.of(), howLong, disturbance(args[0], nodes), trials(args[0]));
        }
    }

    private static Run.Disturbance disturbance(String run, EmbeddedCassandraBuilder nodes) {
        return switch (run) {
            case "backlog" -> Outages::takeTheClusterAway;
            case "restart" -> Operator::restartEach;
            case "operated" -> {
                // What the nodes that join have, too: whoever leaves waits as long.
                nodes.heapMegabytes(384).jvmArgument("-Dcassandra.ring_delay_ms=10000");
                yield Operator::operate;
            }
            default -> Nemesis::strikeAgainAndAgain;
        };
    }

    private static List<Trial> trials(String run) {
        return switch (run) {
            case "lease" -> List.of(new LeaseTrial(3, LeaseTrial.LONGEST_BLOCKED));
            case "unique" -> List.of(new UniqueTrial(4, 0));
            case "retry" -> List.of(new WriteTrial(2, run));
            case "backlog" -> List.of(new WriteTrial(3, run));
            case "restart" -> List.of(UniqueTrial.undisputed());
            case "short", "operated" -> List.of(new LeaseTrial(2, BUSY), new UniqueTrial(2, 50));
            default -> throw new IllegalArgumentException("There is no run " + run);
        };
    }
}
