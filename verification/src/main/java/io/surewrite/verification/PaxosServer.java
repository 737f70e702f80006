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
        return EmbeddedCassandra.builder()
                .nodes(nodes)
                .setting("paxos_variant", "v2")
                // A server for development does without.
                .jvmArgument("-XX:TieredStopAtLevel=4")
                .start();
    }
}
