package io.surewrite.schema;

import java.util.List;

/**
 * The tables of Surewrite. A bean that has this knows that they exist and have the right columns; depending on this bean is
 * therefore how to start after them. A table is seen to when it is first asked for.
 */
public interface SurewriteSchema {

    /**
     * The name to use in CQL.
     *
     * @param name a table's name without its prefix, such as {@code lease}
     * @return the table with its keyspace and prefix
     * @throws IllegalArgumentException if Surewrite has no table of this name
     * @throws io.surewrite.write.InvalidConfigurationException if it is needed from now on, and missing or wrong
     */
    default String table(String name) {
        return tables(name).get(0);
    }

    /** The names of several, as {@link #table} gives them; what is wrong with one is said with what is wrong with the others. */
    List<String> tables(String... names);

    /**
     * {@return whether the server has a table already; it is neither created nor checked}
     *
     * @param name a table's name without its prefix
     * @throws IllegalArgumentException if Surewrite has no table of this name
     */
    boolean exists(String name);
}
