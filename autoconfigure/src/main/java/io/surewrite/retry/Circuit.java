package io.surewrite.retry;

/**
 * A circuit breaker around single attempts: while the cluster is not to be reached, attempts fail at once and spare it.
 *
 * <p>It sees what an attempt says about the cluster, not whether the write was accepted: a wrong statement shows that
 * somebody answers.
 */
public interface Circuit {

    /** Always closed. */
    Circuit NONE = new Circuit() {};

    /**
     * Asks to run one attempt. Whoever gets a yes calls one of the other methods afterwards.
     *
     * @return false if the circuit is open
     */
    default boolean tryPass() {
        return true;
    }

    /**
     * The cluster answered.
     *
     * @param nanos how long it took, in nanoseconds
     */
    default void answered(long nanos) {}

    /**
     * The cluster could not do it, or nobody knows.
     *
     * @param nanos how long it took, in nanoseconds
     * @param failure what was thrown
     */
    default void unavailable(long nanos, Throwable failure) {}

    /** The attempt says nothing about the cluster. */
    default void nothingLearnt() {}
}
