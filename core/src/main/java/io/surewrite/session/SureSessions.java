package io.surewrite.session;

import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;

/**
 * Gives every session its own set of leases, unique values, overwrites, journal and backlog. The beans of those types
 * ({@code LeaseLocks}, {@code UniqueGuard}, ...) are the set of the primary session.
 */
public interface SureSessions {

    /**
     * The set of a template's session.
     *
     * @param template sends to one session
     * @return the set, always the same for one template; nothing is looked up yet
     */
    SureSession of(CassandraOperations template);

    /** See {@link #of(CassandraOperations)}; the session of the template is a bean. */
    SureSession of(ReactiveCassandraOperations template);
}
