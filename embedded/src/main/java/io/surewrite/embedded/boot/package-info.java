/**
 * Gives a Spring Boot application an embedded Cassandra when it has no other: the server, the connection details and a
 * keyspace.
 */
@NullMarked
package io.surewrite.embedded.boot;

import org.jspecify.annotations.NullMarked;
