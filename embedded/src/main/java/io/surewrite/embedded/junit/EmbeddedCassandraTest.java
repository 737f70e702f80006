package io.surewrite.embedded.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class the JVM's shared embedded Cassandra and a fresh keyspace, which is dropped after the class.
 *
 * <p>Constructors, tests and life-cycle methods may then take parameters of these types:
 *
 * <ul>
 *   <li>{@link TestKeyspace}: the class's keyspace and where it is
 *   <li>{@link io.surewrite.embedded.SharedCassandra}: the server
 *   <li>{@code com.datastax.oss.driver.api.core.CqlSession}: a session of the class in that keyspace
 * </ul>
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(EmbeddedCassandraExtension.class)
public @interface EmbeddedCassandraTest {}
