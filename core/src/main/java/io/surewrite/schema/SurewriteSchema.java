package io.surewrite.schema;

import java.util.Set;

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
     * @throws io.surewrite.write.InvalidConfigurationException if it is needed from now on, and missing or wrong
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

    /** {@return the names in CQL of the tables that are in use, with their keyspaces} */
    Set<String> inUse();
}
