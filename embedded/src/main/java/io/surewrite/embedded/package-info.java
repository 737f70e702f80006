/**
 * A real Apache Cassandra in a JVM of its own, for development and tests: {@link io.surewrite.embedded.EmbeddedCassandra}
 * starts one, {@link io.surewrite.embedded.SharedCassandra} shares one in this JVM. Nothing of Cassandra reaches the
 * application's class path.
 */
@NullMarked
package io.surewrite.embedded;

import org.jspecify.annotations.NullMarked;
