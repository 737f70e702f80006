package io.surewrite.verification;

import io.surewrite.embedded.EmbeddedCassandra;

/** A server for what is decided by lightweight transactions: with Paxos v2, and with the second compiler, as in production. */
public final class PaxosServer {

    private PaxosServer() {}

    /**
     * Starts it.
     *
     * @param nodes how many
     * @return the server, without a keyspace
     */
    public static EmbeddedCassandra start(int nodes) {
        return start(nodes, "v2");
    }

    /**
     * Starts one with another kind of Paxos.
     *
     * @param nodes how many
     * @param paxos {@code v1} or {@code v2}
     * @return the server, without a keyspace
     */
    public static EmbeddedCassandra start(int nodes, String paxos) {
        return EmbeddedCassandra.builder()
                .nodes(nodes)
                .setting("paxos_variant", paxos)
                // A server for development does without.
                .jvmArgument("-XX:TieredStopAtLevel=4")
                .start();
    }
}
