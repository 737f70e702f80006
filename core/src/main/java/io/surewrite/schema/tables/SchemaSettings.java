package io.surewrite.schema.tables;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.schema.SchemaInitialization;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;

/**
 * Where the tables live and who creates them.
 *
 * @param initialization when to create what is missing
 * @param embeddedServer whether a session is connected to the embedded server
 * @param keyspace the keyspace of our tables in CQL (quoted if it needs to be), or null for the session's
 * @param tablePrefix what our tables' names begin with, in lower case
 * @param scripts the application's own DDL
 */
public record SchemaSettings(
        SchemaInitialization initialization,
        Predicate<CqlSession> embeddedServer,
        @Nullable String keyspace,
        String tablePrefix,
        List<Resource> scripts) {

    boolean create(CqlSession session) {
        return switch (initialization) {
            case NEVER -> false;
            case EMBEDDED -> embeddedServer.test(session);
            case ALWAYS -> true;
        };
    }
}
