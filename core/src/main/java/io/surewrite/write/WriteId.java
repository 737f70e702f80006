package io.surewrite.write;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the property of an entity that says which call wrote the row last: a {@link java.util.UUID}, in a column of its own. It
 * is made anew for each write of a call, and is the same in all its attempts. So a write whose answer was lost is found in the row.
 *
 * <p>Or marks the parameter of a repository method that its statement, which has a condition, writes into such a column. It is
 * made in the same way, whatever the caller gives.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
public @interface WriteId {}
