package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.write.Internal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;

/** The tables of Surewrite, set up when they are first needed; the application's own at once. */
@Internal
public final class ManagedSchema implements SurewriteSchema {

    /** Where the tables live and who creates them; the keyspace is as in CQL, null for the session's. */
    public record Settings(
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

    private final Supplier<SchemaSetup> setup;
    private final TablesInUse inUse;
    private final Map<String, String> ready = new HashMap<>();

    /** The session is not asked for, so that nothing connects, while nothing is needed. */
    public ManagedSchema(Settings settings, Supplier<CqlSession> session, TablesInUse inUse) {
        this.setup = () -> new SchemaSetup(session.get(), settings);
        this.inUse = inUse;
        if (!settings.scripts().isEmpty()) {
            setup.get().run(settings.scripts());
        }
    }

    @Override
    public synchronized List<String> tables(String... names) {
        List<String> missing =
                Stream.of(names).filter(name -> !ready.containsKey(name)).toList();
        if (!missing.isEmpty()) {
            initialize(missing);
        }
        return Stream.of(names).map(ready::get).map(Objects::requireNonNull).toList();
    }

    private void initialize(List<String> names) {
        SchemaSetup made = setup.get();
        for (TableDefinition table : made.initialize(names)) {
            ready.put(table.shortName(), table.qualifiedName());
            inUse.addOwn(made.session(), table.keyspace(), table.table());
        }
    }

    @Override
    public synchronized boolean exists(String name) {
        return ready.containsKey(name) || setup.get().exists(name);
    }

    /** When missing tables are created; when they are not, they are checked. */
    public enum SchemaInitialization {

        /** Never: an operator runs the DDL. */
        NEVER,

        /** Only on the embedded server of development and tests. */
        EMBEDDED,

        /** On every server. Not for several instances that start at the same time. */
        ALWAYS
    }
}
