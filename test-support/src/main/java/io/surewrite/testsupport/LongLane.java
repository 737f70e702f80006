package io.surewrite.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A test that takes long by its nature: {@code mvn verify} leaves it to {@code mvn -Plong verify}. */
@Tag(LongLane.TAG)
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface LongLane {

    /** What the build excludes, or asks for. */
    String TAG = "long";
}
