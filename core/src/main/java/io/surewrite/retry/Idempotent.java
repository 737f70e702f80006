package io.surewrite.retry;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that running the method again with the same arguments changes nothing, and so lets it run until it succeeds.
 *
 * <p>On a repository method (declared, inherited and redeclared, {@code @Query}, derived or of a fragment), on a whole
 * repository interface, or on a method or class of a bean. All attempts of one call carry one write timestamp, taken
 * before the first, so that a late attempt never overwrites a newer write of another process; the driver may repeat and
 * speculate too. What a retry would change (a counter, a list, {@code now()}, an {@code IF}) is refused at start-up as
 * far as the statement is known there. A bean's method cannot be looked into: there the annotation is the author's promise.
 *
 * <p>Only failures of Cassandra and its driver that may pass are retried. When attempts or time are used up the caller
 * gets {@link io.surewrite.write.UnknownOutcomeException} if any statement of any attempt may have taken effect, and the last
 * failure itself if none has. An {@code @Idempotent} method called by another one runs as a part of it: it joins the timestamp
 * and leaves the retry to the caller.
 *
 * <p>As with every advice of Spring, calls of a bean to itself pass it by: they are not retried and pin no timestamp. Call the method from
 * another bean. On a method that no proxy intercepts (final, private, static, or called by Spring to make or end the bean), and on a bean
 * that Spring makes too early, the annotation ends the start with an {@link io.surewrite.write.InvalidConfigurationException}.
 *
 * <p>Attributes left out are taken from {@code surewrite.retry.*}. Durations are written like {@code 500ms} or
 * {@code PT0.5S}; {@code ${placeholders}} are resolved.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Idempotent {

    /** {@return how often the method runs at most: at least 1; -1 for the configured number} */
    int attempts() default -1;

    /**
     * {@return how long after its start a call may begin another attempt; empty for the configured time} Must be below the
     * table's {@code gc_grace_seconds}: past that, a late write can bring deleted data back.
     */
    String deadline() default "";

    /** {@return the upper bound of the random wait before the second attempt; empty for the configured one} */
    String initialBackoff() default "";

    /** {@return what the bound never exceeds; empty for the configured limit} */
    String maxBackoff() default "";

    /**
     * {@return whether a write with a time to live may be retried, although each attempt extends it} Its time counts from the
     * last attempt that reached the server.
     */
    boolean extendTtl() default false;

    /** {@return the name of the {@link WriteRetryTemplate} bean that runs the method} */
    String template() default "cassandraRetryTemplate";

    /**
     * {@return what becomes of the write when attempts or time are used up} With {@link WhenExhausted#BACKLOG} the method sends
     * one statement, or one batch, and returns nothing, its entity, or a {@link io.surewrite.write.WriteReceipt}.
     */
    WhenExhausted whenExhausted() default WhenExhausted.FAIL;

    /** What becomes of a write when its attempts or its time are used up. */
    enum WhenExhausted {

        /** The caller gets the failure. */
        FAIL,

        /**
         * It is kept on disk and done later, with the timestamp it has: the caller goes on once it is durable. Needs the
         * backlog, and a method whose answer does not come from the database.
         */
        BACKLOG
    }
}
