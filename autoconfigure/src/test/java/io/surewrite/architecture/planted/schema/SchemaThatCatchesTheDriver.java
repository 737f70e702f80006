package io.surewrite.architecture.planted.schema;

import com.datastax.oss.driver.api.core.DriverTimeoutException;

/** Knows what only cql may know. */
public final class SchemaThatCatchesTheDriver {

    boolean isTimeout(RuntimeException failure) {
        return failure instanceof DriverTimeoutException;
    }
}
