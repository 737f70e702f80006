package io.surewrite.overwrite;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a repository: {@code save} and {@code saveAll} overwrite the row, as {@link RowOverwrites#overwrite(Object)} does,
 * instead of writing a tombstone for every null. Overrides {@code surewrite.overwrite.on-save}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Overwriting {

    /**
     * Whether they do.
     *
     * @return false to leave them alone although all others overwrite
     */
    boolean value() default true;
}
