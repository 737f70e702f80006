package io.surewrite.lease;

import io.surewrite.lease.LeaseLocks.OnLoss;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method of a bean under a lease: acquired before, released after, renewed meanwhile. Inside, {@link LeaseAssert}
 * gives the lease with its fencing token.
 *
 * <p>Calls of a bean to itself pass it by: call the method from another bean. On a method that no proxy intercepts, and on a
 * bean that Spring makes too early, the annotation ends the start with a {@link io.surewrite.write.InvalidConfigurationException}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface WithLease {

    /** {@return the name of the lease, as it stands here: {@code @WithLease("nightly")}; <code>${...}</code> is resolved} */
    String value() default "";

    /**
     * {@return the name of the lease where it follows from the call, in place of {@link #value()}: a SpEL expression over the
     * arguments, by name ({@code #id}) or position ({@code #a0}), and the bean ({@code #root.target})}
     */
    String key() default "";

    /** {@return the ttl, as in {@code 30s}: whole seconds; empty for the configured one} */
    String ttl() default "";

    /** {@return how long to wait for the lease at most, as in {@code 500ms}; by default not at all} */
    String waitAtMost() default "0s";

    /**
     * {@return how long the lease's name stays closed to all others once it was acquired, as in {@code 30s}, however early the
     * method is done, and also if the process dies; empty for no longer than the method takes} It is for work that is
     * scheduled in several processes: where their clocks differ by less than it, one tick runs once. Let it be shorter than
     * the time between two ticks, or the next one finds the name closed.
     */
    String holdAtLeast() default "";

    /**
     * {@return what to do when another holds the lease} {@link WhenHeld#SKIP} is for scheduled methods that one process
     * of many is to run, and for methods that return nothing.
     */
    WhenHeld whenHeld() default WhenHeld.FAIL;

    /** {@return what to do when the lease is lost before the method is done} */
    OnLoss onLoss() default OnLoss.INTERRUPT;

    /** What to do with a call that needs a lease which another holds. */
    enum WhenHeld {

        /** Throw a {@link LeaseNotAcquiredException}. */
        FAIL,

        /**
         * Return without running the method. Only if another was seen to hold the lease: if the cluster gives no clear answer,
         * the caller gets a {@link LeaseUnavailableException} all the same.
         */
        SKIP
    }
}
