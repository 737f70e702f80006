package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.write.Internal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;

/** The tables that were contributed, set up when they are first needed. */
@Internal
public final class ManagedSchema implements SurewriteSchema {

    /**
     * Where the tables live and who creates them.
     *
     * @param embeddedServer whether a session is connected to the embedded server
     * @param keyspace the keyspace of our tables in CQL (quoted if it needs to be), or null for the session's
     * @param tablePrefix what our tables' names begin with, in lower case
     */
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

    private final Map<String, SchemaTable> contributed;
    private final Supplier<SchemaSetup> setup;
    private final Map<String, String> ready = new ConcurrentHashMap<>();

    /**
     * Sees to the tables that every application needs, and to its own scripts.
     *
     * @param session not asked for, so that nothing connects, while nothing is needed
     */
    public ManagedSchema(List<SchemaTable> tables, Settings settings, Supplier<CqlSession> session) {
        this.contributed = tables.stream().collect(Collectors.toMap(SchemaTable::name, Function.identity()));
        this.setup = () -> new SchemaSetup(session.get(), settings);
        List<SchemaTable> needed =
                tables.stream().filter(table -> !table.onDemand()).toList();
        if (!settings.scripts().isEmpty() || !needed.isEmpty()) {
            ready.putAll(setup.get().initialize(needed));
        }
    }

    @Override
    public synchronized String table(String name) {
        return ready.computeIfAbsent(name, first -> setup.get().add(contributed(first)));
    }

    @Override
    public synchronized boolean exists(String name) {
        return ready.containsKey(name)
                || setup.get().catalog().table(setup.get().define(contributed(name))) != null;
    }

    @Override
    public Set<String> inUse() { // no lock: asked on a thread of the driver, while the holder of the lock waits for it
        return Set.copyOf(ready.values());
    }

    private SchemaTable contributed(String name) {
        SchemaTable table = contributed.get(name);
        if (table == null) {
            throw new IllegalArgumentException(
                    "No SchemaTable bean is named '%s'; there are %s".formatted(name, contributed.keySet()));
        }
        return table;
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
