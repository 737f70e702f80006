package io.surewrite.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A test that waits for seconds, mostly for a lease to run out: too long to be run again for each fault that is planted. */
@Tag(Waits.TAG)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Waits {

    /** What mutation testing leaves out. */
    String TAG = "waits";
}
