/**
 * The tables of Surewrite: whatever has a {@link io.surewrite.schema.SurewriteSchema} knows that they exist and have the right
 * columns. A bean that needs them depends on that one. A table that is missing or wrong throws a {@link
 * io.surewrite.write.InvalidConfigurationException} with all problems at once and the CQL to run.
 *
 * <p>{@code SchemaSetup} creates what is missing and checks everything, {@code SchemaCatalog} reads what is there, {@code
 * ManagedSchema} knows which tables are in use, and {@code TablesInUse} watches what endangers them.
 */
@NullMarked
package io.surewrite.schema;

import org.jspecify.annotations.NullMarked;
