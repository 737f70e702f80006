package io.surewrite.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A search that takes whatever time it gets: little in {@code mvn verify}, more in {@code mvn -Plong verify}, minutes in the nightly lane. */
@Tag(BothLanes.TAG)
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface BothLanes {

    /** What the long lane asks for, beside {@link LongLane#TAG}. */
    String TAG = "search";
}
