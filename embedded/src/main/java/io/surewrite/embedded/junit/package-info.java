/** JUnit Jupiter's way to the shared embedded Cassandra, with a keyspace for each test class. */
@NullMarked
package io.surewrite.embedded.junit;

import org.jspecify.annotations.NullMarked;
