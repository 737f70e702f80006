package io.surewrite.write;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the property of an entity that says which call wrote the row last: a {@link java.util.UUID}, in a column of its own. It
 * is made anew for each write of a call, and is the same in all its attempts. So a write whose answer was lost is found in the row.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface WriteId {}
