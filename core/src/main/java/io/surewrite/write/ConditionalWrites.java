package io.surewrite.write;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Runs tokened conditional writes until their outcome is decided or time is up. */
public interface ConditionalWrites {

    /**
     * The driver execution profile of every conditional write: no driver retry, no speculation, serial and commit
     * consistency set, a request timeout above the server's.
     */
    String PROFILE = "surewrite-conditional";

    /**
     * Runs the write; as long as its outcome is unknown, runs the identical statement again with jittered back-off.
     * Never blocks.
     *
     * @param timeout how long to go on; it bounds the time until the last send plus one request timeout
     * @return the outcome; completes exceptionally only if the statement itself is wrong (a syntax error, a missing
     *     table, missing rights)
     */
    CompletionStage<WriteOutcome> execute(ConditionalWrite write, Duration timeout);
}
