package io.surewrite.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a {@link CassandraTest} whose sessions need the tables of other keyspaces, too. Those of all others know the test's own
 * alone: reading hundreds of tables, whenever a test connects or creates one, was a tenth of what these tests cost.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface SeveralKeyspaces {}
