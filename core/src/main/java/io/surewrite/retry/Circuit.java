package io.surewrite.retry;

import java.time.Duration;

/**
 * A circuit breaker around single attempts of writes: while the cluster is not to be reached, attempts fail at once and spare
 * it. Calls that only read pass it by: a circuit that opens for writes says little about reads, which fewer replicas may
 * serve, and they neither open nor close it.
 *
 * <p>It sees what an attempt says about the cluster, not whether the write was accepted: a wrong statement shows that
 * the cluster answers.
 */
public interface Circuit {

    /** Always closed. */
    Circuit NONE = new Circuit() {};

    /**
     * The circuit of a session's calls. The circuit of one session may be asked for that of another session.
     *
     * @param session the name of the session's bean, or the driver's name of a session that is no bean
     * @return this one, if it stands for all sessions
     */
    default Circuit ofSession(String session) {
        return this;
    }

    /**
     * Asks to run one attempt. After a yes, the caller calls one of the other methods.
     *
     * @return false if the circuit is open
     */
    default boolean tryPass() {
        return true;
    }

    /**
     * How long the circuit stays open from now on, for messages to those whose attempt did not pass.
     *
     * @return zero if an attempt may pass at once, or if it is not known
     */
    default Duration remainsOpen() {
        return Duration.ZERO;
    }

    /**
     * The cluster answered.
     *
     * @param nanos how long it took, in nanoseconds
     */
    default void answered(long nanos) {}

    /**
     * The cluster could not do it, or its answer is lost.
     *
     * @param nanos how long it took, in nanoseconds
     * @param failure what was thrown
     */
    default void unavailable(long nanos, Throwable failure) {}

    /** The attempt says nothing about the cluster. */
    default void nothingLearnt() {}
}
