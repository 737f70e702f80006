package io.surewrite.schema;

import io.surewrite.cql.ConditionalWrites;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The tables of Surewrite. A bean that has this knows that they exist and have the right columns; depending on this bean is
 * therefore how to start after them. A table that not every application needs is seen to when it is first asked for.
 */
public interface SurewriteSchema {

    /**
     * The name to use in CQL.
     *
     * @param name the name of a {@link SchemaTable}
     * @return the table with its keyspace and prefix
     * @throws IllegalArgumentException if no table of this name was contributed
     * @throws io.surewrite.cql.InvalidConfigurationException if it is needed from now on, and missing or wrong
     */
    String table(String name);

    /**
     * Whether a table is there already, for those who only want to read what it has.
     *
     * @param name the name of a {@link SchemaTable}
     * @return whether the server has it; it is neither created nor checked
     * @throws IllegalArgumentException if no table of this name was contributed
     */
    boolean exists(String name);

    /**
     * Refuses the writes of a table once it is closed to processes as old as this one: as writes that failed, with a {@link
     * io.surewrite.cql.InvalidConfigurationException}. A process hears of it within a second or two, through the driver's schema metadata.
     *
     * @param name the name of a {@link SchemaTable}
     * @param writes what runs the writes
     * @return what runs them as long as the table is open to this process
     * @throws IllegalArgumentException if no table of this name was contributed
     */
    ConditionalWrites fenced(String name, ConditionalWrites writes);

    /**
     * For a feature that must not begin before every process that uses a table knows a version of it: until an operator has
     * closed the table to older ones. It says in the log that it waits, and the CQL to run.
     *
     * @param name the name of a {@link SchemaTable}
     * @param version the version that all must know
     * @param feature what waits, as the beginning of a sentence
     * @return whether the feature may begin; cheap, and true for ever once it is
     * @throws IllegalArgumentException if no table of this name was contributed
     */
    BooleanSupplier knownToAll(String name, int version, String feature);

    /**
     * Whether an operator has closed a table to processes before a version. Other than with {@link #knownToAll}, processes of
     * that version may not have heard of it yet: this is for features that go well with those.
     *
     * @param name the name of a {@link SchemaTable}
     * @param version the version that all must know
     * @return whether it is closed, as the server has it now
     * @throws IllegalArgumentException if no table of this name was contributed
     */
    boolean isClosed(String name, int version);

    /** {@return the names in CQL of the tables that are in use, with their keyspaces} */
    Set<String> inUse();
}
