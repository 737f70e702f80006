/**
 * What runs inside the server's JVM: compiled for Java 11 and free of any dependency, since only Cassandra's own class
 * path is there.
 */
@NullMarked
package io.surewrite.embedded.child;

import org.jspecify.annotations.NullMarked;
