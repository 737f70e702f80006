package io.surewrite.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A test that takes longer than CI has: {@code mvn -Plong verify} leaves it to {@code mvn -Pnightly verify}. */
@Tag(Nightly.TAG)
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Nightly {

    /** What the other lanes exclude, and the nightly one asks for. */
    String TAG = "nightly";
}
