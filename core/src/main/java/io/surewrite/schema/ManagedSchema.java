package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.write.Internal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;

/** The tables that were contributed, set up when they are first needed. */
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

    private final Map<String, SchemaTable> contributed;
    private final Supplier<SchemaSetup> setup;
    private final Supplier<@Nullable TablesInUse> inUse;
    private final Map<String, String> ready = new HashMap<>();

    /** The session is not asked for, so that nothing connects, while nothing is needed. */
    public ManagedSchema(
            List<SchemaTable> tables,
            Settings settings,
            Supplier<CqlSession> session,
            Supplier<@Nullable TablesInUse> inUse) {
        this.contributed = tables.stream().collect(Collectors.toMap(SchemaTable::name, Function.identity()));
        this.setup = () -> new SchemaSetup(session.get(), settings);
        this.inUse = inUse;
        List<SchemaTable> needed =
                tables.stream().filter(table -> !table.onDemand()).toList();
        if (!settings.scripts().isEmpty() || !needed.isEmpty()) {
            initialize(needed, settings.scripts());
        }
    }

    @Override
    public synchronized String table(String name) {
        if (!ready.containsKey(name)) {
            initialize(List.of(contributed(name)), List.of());
        }
        return Objects.requireNonNull(ready.get(name));
    }

    private void initialize(List<SchemaTable> tables, List<Resource> scripts) {
        SchemaSetup made = setup.get();
        for (TableDefinition table : made.initialize(tables, scripts)) {
            ready.put(table.shortName(), table.qualifiedName());
            TablesInUse watching = inUse.get();
            if (watching != null) {
                watching.addOwn(made.session(), table.keyspace(), table.table());
            }
        }
    }

    @Override
    public synchronized boolean exists(String name) {
        return ready.containsKey(name)
                || setup.get().catalog().table(setup.get().define(contributed(name))) != null;
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
