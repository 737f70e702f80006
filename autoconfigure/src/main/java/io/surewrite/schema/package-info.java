/** The tables of Surewrite, kept as CQL resources, and who creates or checks them before anything uses them. */
@NullMarked
package io.surewrite.schema;

import org.jspecify.annotations.NullMarked;
