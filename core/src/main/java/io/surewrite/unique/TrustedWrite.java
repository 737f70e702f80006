package io.surewrite.unique;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The author says that a method of a repository with {@link UniqueBy} does no harm to unique values, where Surewrite cannot
 * see it: a method of a fragment, or of a base class, that is the application's own code. Such a method writes no constrained
 * column and deletes no row, or does so by guarded methods of a repository or by {@link UniqueGuard}.
 *
 * <p>On an interface of a fragment, or on a base class, it speaks for all of its methods. Without it, a method whose name
 * says that it writes ends the start.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface TrustedWrite {}
