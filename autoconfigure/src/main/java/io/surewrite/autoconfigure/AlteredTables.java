package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.metadata.schema.events.TableChangeEvent;
import com.datastax.oss.driver.internal.core.session.DefaultSession;
import com.datastax.oss.driver.internal.core.session.RepreparePayload;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns when the columns of a table change that a session reads with prepared statements of the plain driver: it may take one
 * column's value for another's.
 */
final class AlteredTables {

    private static final Logger log = LoggerFactory.getLogger(AlteredTables.class);

    private final CqlSession session;
    private final String beanName;

    private AlteredTables(CqlSession session, String beanName) {
        this.session = session;
        this.beanName = beanName;
    }

    /** Watches for as long as the session is open. */
    static void watch(CqlSession session, String beanName) {
        if (session.getContext() instanceof InternalDriverContext context) {
            AlteredTables watch = new AlteredTables(session, beanName);
            context.getEventBus().register(TableChangeEvent.class, watch::changed);
        }
    }

    private void changed(TableChangeEvent event) {
        TableMetadata before = event.oldTable;
        TableMetadata after = event.newTable;
        if (before != null
                && after != null
                && !before.getColumns().equals(after.getColumns())
                && isRead(after.getKeyspace(), after.getName())) {
            log.warn(
                    "The columns of table {}.{} have changed, and the Cassandra session '{}' has prepared statements on it: what"
                            + " it reads may be wrong (values under the wrong column) until the application is started again."
                            + " Do not save what was read. {}",
                    after.getKeyspace(),
                    after.getName(),
                    beanName,
                    SessionCheck.FIX);
        }
    }

    private boolean isRead(CqlIdentifier keyspace, CqlIdentifier table) {
        if (!(session instanceof DefaultSession drivers)) {
            return true; // more than can be seen
        }
        Pattern name = Pattern.compile("\\b" + Pattern.quote(table.asInternal()) + "\\b", Pattern.CASE_INSENSITIVE);
        return drivers.getRepreparePayloads().values().stream()
                .anyMatch(prepared ->
                        isIn(keyspace, prepared) && name.matcher(prepared.query).find());
    }

    private boolean isIn(CqlIdentifier keyspace, RepreparePayload prepared) {
        CqlIdentifier own = prepared.keyspace != null
                ? prepared.keyspace
                : session.getKeyspace().orElse(null);
        return keyspace.equals(own) || prepared.query.contains(keyspace.asInternal());
    }
}
