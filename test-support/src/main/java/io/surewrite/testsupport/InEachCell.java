package io.surewrite.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Tests that {@code -Pcells} runs on each combination of server, protocol and JDK; it finds them by this. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface InEachCell {

    /** {@return what the tests are about} */
    Subject value();

    /** What is to be known of each combination. */
    enum Subject {
        LEASES,
        UNIQUE_VALUES,
        OVERWRITES,
        RETRY,
        JOURNAL,
        BACKLOG,
        TABLES
    }
}
