package io.surewrite.embedded.junit;

import io.surewrite.embedded.SharedCassandra;

/**
 * A test class's own keyspace.
 *
 * @param server where it is
 * @param name of the keyspace
 */
public record TestKeyspace(SharedCassandra server, String name) {}
