package io.surewrite.schema;

import io.surewrite.cql.ConditionalWrites;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The tables of Surewrite. Whoever holds this knows that they exist and have the right columns; depending on this bean
 * is therefore how to start after them. A table that not every application needs is seen to when it is first asked for.
 */
public final class SurewriteSchema {

    private final Map<String, SchemaTable> contributed;
    private final Supplier<SchemaInitializer> initializer;
    private final Map<String, String> ready = new ConcurrentHashMap<>();

    /**
     * Sees to the tables that every application needs, and to its own scripts.
     *
     * @param tables what the features need
     * @param scripts whether the application has scripts of its own
     * @param initializer creates and checks; not asked for, so that nothing connects, while nothing is needed
     * @throws SchemaException if a table is missing or wrong
     */
    public SurewriteSchema(List<SchemaTable> tables, boolean scripts, Supplier<SchemaInitializer> initializer) {
        this.contributed = tables.stream().collect(Collectors.toMap(SchemaTable::name, Function.identity()));
        this.initializer = initializer;
        List<SchemaTable> needed =
                tables.stream().filter(table -> !table.onDemand()).toList();
        if (scripts || !needed.isEmpty()) {
            ready.putAll(initializer.get().initialize(needed));
        }
    }

    /**
     * The name to use in CQL.
     *
     * @param name the name of a {@link SchemaTable}
     * @return the table with its keyspace and prefix
     * @throws IllegalArgumentException if no table of this name was contributed
     * @throws SchemaException if it is needed from now on, and missing or wrong
     */
    public synchronized String table(String name) {
        SchemaTable table = contributed(name);
        return ready.computeIfAbsent(name, first -> initializer.get().add(table));
    }

    /**
     * Whether a table is there already, for those who only want to read what it has.
     *
     * @param name the name of a {@link SchemaTable}
     * @return whether the server has it; it is neither created nor checked
     * @throws IllegalArgumentException if no table of this name was contributed
     */
    public synchronized boolean exists(String name) {
        SchemaTable table = contributed(name);
        return ready.containsKey(name) || initializer.get().exists(table);
    }

    /**
     * Refuses the writes of a table once it is closed to processes as old as this one: as writes that failed, with a {@link
     * SchemaException}. A process hears of it within a second or two, through the driver's schema metadata.
     *
     * @param name the name of a {@link SchemaTable}
     * @param writes what runs the writes
     * @return what runs them as long as the table is open to this process
     * @throws IllegalArgumentException if no table of this name was contributed
     */
    public synchronized ConditionalWrites fenced(String name, ConditionalWrites writes) {
        return initializer.get().fenced(contributed(name), writes);
    }

    /**
     * For a feature that must not begin before every process that uses a table knows a version of it: until somebody has
     * closed the table to older ones. It says in the log that it waits, and the CQL to run.
     *
     * @param name the name of a {@link SchemaTable}
     * @param version the version that all must know
     * @param feature what waits, as the beginning of a sentence
     * @return whether the feature may begin; cheap, and true for ever once it is
     * @throws IllegalArgumentException if no table of this name was contributed
     */
    public synchronized BooleanSupplier knownToAll(String name, int version, String feature) {
        return initializer.get().knownToAll(contributed(name), version, feature);
    }

    /**
     * Whether somebody has closed a table to processes before a version. Other than with {@link #knownToAll}, processes of
     * that version may not have heard of it yet: this is for features that go well with those.
     *
     * @param name the name of a {@link SchemaTable}
     * @param version the version that all must know
     * @return whether it is closed, as the server has it now
     * @throws IllegalArgumentException if no table of this name was contributed
     */
    public synchronized boolean isClosed(String name, int version) {
        return initializer.get().isClosed(contributed(name), version);
    }

    /** {@return the names in CQL of the tables that are in use, with their keyspaces} */
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
}
