package io.surewrite.schema;

/**
 * The tables of Surewrite. A bean that has this knows that they exist and have the right columns; depending on this bean is
 * therefore how to start after them. A table that not every application needs is seen to when it is first asked for.
 */
public interface SurewriteSchema {

    /**
     * The name to use in CQL.
     *
     * @param name a table's name without its prefix, such as {@code lease}
     * @return the table with its keyspace and prefix
     * @throws IllegalArgumentException if no table of this name was contributed
     * @throws io.surewrite.write.InvalidConfigurationException if it is needed from now on, and missing or wrong
     */
    String table(String name);

    /**
     * {@return whether the server has a table already; it is neither created nor checked}
     *
     * @param name a table's name without its prefix
     * @throws IllegalArgumentException if no table of this name was contributed
     */
    boolean exists(String name);
}
