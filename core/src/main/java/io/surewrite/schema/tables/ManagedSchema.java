package io.surewrite.schema.tables;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.InvalidConfigurationException;
import io.surewrite.cql.WriteOutcome;
import io.surewrite.cql.analysis.TableLookup;
import io.surewrite.schema.SchemaTable;
import io.surewrite.schema.SurewriteSchema;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tables that were contributed, set up when they are first needed, and closed to processes that are too old for them. */
public final class ManagedSchema implements SurewriteSchema {

    private final Map<String, SchemaTable> contributed;
    private final Supplier<SchemaSetup> setup;
    private final Map<String, String> ready = new ConcurrentHashMap<>();

    /**
     * Sees to the tables that every application needs, and to its own scripts.
     *
     * @param tables what the features need
     * @param scripts whether the application has scripts of its own
     * @param setup creates and checks; not asked for, so that nothing connects, while nothing is needed
     * @throws InvalidConfigurationException if a table is missing or wrong
     */
    public ManagedSchema(List<SchemaTable> tables, boolean scripts, Supplier<SchemaSetup> setup) {
        this.contributed = tables.stream().collect(Collectors.toMap(SchemaTable::name, Function.identity()));
        this.setup = setup;
        List<SchemaTable> needed =
                tables.stream().filter(table -> !table.onDemand()).toList();
        if (scripts || !needed.isEmpty()) {
            ready.putAll(setup.get().initialize(needed));
        }
    }

    @Override
    public synchronized String table(String name) {
        return ready.computeIfAbsent(name, first -> setup.get().add(contributed(first)));
    }

    @Override
    public synchronized boolean exists(String name) {
        return ready.containsKey(name) || setup.get().catalog().table(define(name)) != null;
    }

    @Override
    public synchronized ConditionalWrites fenced(String name, ConditionalWrites writes) {
        TableDefinition definition = define(name);
        IntSupplier version = new NeededVersion(setup.get().session(), definition);
        return (write, timeout) -> {
            int needed = version.getAsInt();
            return needed <= definition.version()
                    ? writes.execute(write, timeout)
                    : CompletableFuture.completedFuture(new WriteOutcome.Failed(new InvalidConfigurationException(
                            definition.qualifiedName(),
                            definition.tooOld(needed),
                            SchemaSetup.RUN_THE_NEWER_RELEASE,
                            SchemaCatalog.PAGE)));
        };
    }

    @Override
    public synchronized BooleanSupplier knownToAll(String name, int version, String feature) {
        TableDefinition definition = define(name);
        IntSupplier needed = new NeededVersion(setup.get().session(), definition);
        return new UpgradeWatch(feature, definition, version, needed, System::nanoTime);
    }

    @Override
    public synchronized boolean isClosed(String name, int version) {
        TableDefinition definition = define(name);
        TableShape actual = setup.get().catalog().table(definition.keyspace(), definition.table());
        return actual != null && TableShape.needed(actual.columns().keySet()) >= version;
    }

    @Override
    public Set<String> inUse() { // no lock: asked on a thread of the driver, while the holder of the lock waits for it
        return Set.copyOf(ready.values());
    }

    private TableDefinition define(String name) {
        return setup.get().define(contributed(name));
    }

    private SchemaTable contributed(String name) {
        SchemaTable table = contributed.get(name);
        if (table == null) {
            throw new IllegalArgumentException(
                    "No SchemaTable bean is named '%s'; there are %s".formatted(name, contributed.keySet()));
        }
        return table;
    }

    /**
     * The least version of a process that may use a table, as the driver's schema metadata has it: no request is sent, and
     * every process hears of an {@code ALTER TABLE} within a second or two.
     */
    private static final class NeededVersion implements IntSupplier {

        private final CqlSession session;
        private final TableDefinition definition;
        private volatile Known known = new Known(null, TableShape.FIRST_VERSION);

        private record Known(@Nullable TableMetadata metadata, int needed) {}

        private NeededVersion(CqlSession session, TableDefinition definition) {
            this.session = session;
            this.definition = definition;
        }

        @Override
        public int getAsInt() {
            TableMetadata metadata = TableLookup.of(session)
                    .findTable(definition.keyspace(), definition.table())
                    .orElse(null);
            Known last = known;
            if (metadata == null || metadata == last.metadata()) {
                return last.needed();
            }
            int needed = TableShape.needed(metadata.getColumns().keySet().stream()
                    .map(CqlIdentifier::asInternal)
                    .toList());
            // It only ever rises: metadata that is read again may come from a node that is behind.
            known = new Known(metadata, Math.max(needed, last.needed()));
            return known.needed();
        }
    }
}
