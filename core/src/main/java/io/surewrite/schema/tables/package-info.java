/**
 * The tables on the server: {@code SchemaSetup} creates what is missing and checks everything, {@code SchemaCatalog} reads what
 * is there, {@code ManagedSchema} knows which tables are in use, and {@code TablesInUse}
 * watches what endangers them.
 */
@NullMarked
package io.surewrite.schema.tables;

import org.jspecify.annotations.NullMarked;
