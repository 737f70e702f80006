package io.surewrite.cql.clock;

import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The clocks of the nodes, as one process reaches them. Simulated in tests. */
interface NodeClocks {

    /** {@return the nodes that this process talks to} */
    Set<String> nodes();

    /** Asks a node for its time, in whole milliseconds since the epoch. */
    CompletionStage<Long> millisOf(String node);

    /** {@return whether nothing can be asked any more} */
    boolean isClosed();
}
