package io.surewrite.unique;

/**
 * Tables of Surewrite that {@link UniqueConstraints} needs, as CQL names them, with their keyspace where that is not the
 * session's.
 *
 * @param claims the table of claims
 * @param builds how far builds are
 * @param duplicates the rows without a claim that builds have found
 */
public record UniqueTables(String claims, String builds, String duplicates) {}
