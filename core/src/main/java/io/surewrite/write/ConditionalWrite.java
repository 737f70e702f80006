package io.surewrite.write;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.function.Predicate;

/**
 * A lightweight transaction that differs from all others by its token, and so can be run again until its outcome is known.
 *
 * @param statement a bound statement or a single-partition batch with an {@code IF}; it writes a token that no other
 *     attempt uses
 * @param mine whether a row that rejected the statement holds the token, which means that an earlier run was applied.
 *     It sees only the columns that the condition names
 */
public record ConditionalWrite(Statement<?> statement, Predicate<Row> mine) {}
