package io.surewrite.lease;

import org.jspecify.annotations.Nullable;

/**
 * Work to do under a lease.
 *
 * @param <T> what it returns
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface LeaseWork<T extends @Nullable Object, X extends Exception> {

    /**
     * Does the work.
     *
     * @param lease the lease that is held
     * @return what the work returns
     * @throws X if the work fails
     */
    T run(Lease lease) throws X;
}
