package io.surewrite.retry;

/**
 * A circuit breaker around single attempts of writes: while the cluster is not to be reached, attempts fail at once and spare
 * it. Calls that only read pass it by, and neither open nor close it: fewer replicas may serve them.
 *
 * <p>It sees what an attempt says about the cluster, not whether the write was accepted: a wrong statement shows that
 * the cluster answers.
 */
public interface Circuit {

    /** Always closed. */
    Circuit NONE = new Circuit() {};

    /**
     * {@return the circuit of the calls of another session; this one, if it stands for all}
     *
     * @param session the name of the session's bean, or the driver's name of a session that is no bean
     */
    default Circuit ofSession(String session) {
        return this;
    }

    /** {@return whether an attempt may run; false if the circuit is open} After a yes, the caller calls one of the methods below. */
    default boolean tryPass() {
        return true;
    }

    /** The cluster answered. */
    default void answered() {}

    /** The cluster could not do it, or its answer is lost. */
    default void unavailable(Throwable failure) {}

    /** The attempt says nothing about the cluster. */
    default void nothingLearnt() {}
}
