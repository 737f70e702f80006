package io.surewrite.session;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.overwrite.Overwrites;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.unique.ClaimingGuard;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.write.WriteTimestamps;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.convert.CassandraConverter;

/**
 * Everything that Surewrite does on the session of one template. Each feature is made when it is first asked for, and so
 * are its tables: in the keyspace of this session, unless {@code surewrite.schema.keyspace} names one. Settings and
 * listeners are those of the application.
 *
 * <p>Thread-safe. All sets of one session share its leases, unique values, journal and backlog; they end with the
 * application. Every feature throws an {@link IllegalStateException} if it is switched off.
 */
public interface SureSession {

    /** {@return the name of the session's bean, which tells in the backlog where a write belongs; null if it is none} */
    @Nullable
    String name();

    /**
     * {@return the template that this is for: a {@code CassandraOperations} or {@code ReactiveCassandraOperations}}
     */
    Object template();

    /**
     * {@return the template's session, with the settings of conditional writes}
     *
     * @throws io.surewrite.write.InvalidConfigurationException if the template has not one session of its own
     */
    CqlSession session();

    /** {@return what maps the template's entities} */
    CassandraConverter converter();

    /** {@return the source of this session's write timestamps, which knows whether its clocks can be trusted} */
    WriteTimestamps writeTimestamps();

    /** {@return the leases, in a table of this session} */
    LeaseLocks leaseLocks();

    /** {@return the guard of unique values, with its claims in a table of this session} */
    ClaimingGuard uniqueGuard();

    /** {@return the unique constraints of the repositories on this session} */
    UniqueCatalog uniqueCatalog();

    /** {@return what finds rows of this session by their unique values} */
    UniqueFinder uniqueFinder();

    /** {@return what builds, compares and repairs the claims of this session} */
    UniqueConstraints uniqueConstraints();

    /** {@return the overwrites of the template, if it is not reactive} */
    RowOverwrites rowOverwrites();

    /** {@return the overwrites of the template, if it is reactive} */
    ReactiveRowOverwrites reactiveRowOverwrites();

    /** {@return what makes both, and checks the overwrites of rows with unique values} */
    Overwrites overwriteFactory();

    /** {@return the journal, in tables of this session} */
    AttributeJournal attributeJournal();

    /** {@return the backlog of the application; what is put here is replayed to this session and no other} */
    WriteBacklog writeBacklog();
}
