package io.surewrite.autoconfigure;

import io.surewrite.backlog.WriteBacklog;
import io.surewrite.cql.WriteListener;
import java.util.function.Supplier;

/**
 * Has the backlog replayed when the circuit breaker closes.
 *
 * @param backlog looked up then, as the breaker is made before it
 */
record ReplayOnClosedCircuit(Supplier<WriteBacklog> backlog) implements WriteListener {

    @Override
    public Call started(String operation) {
        return Call.NONE;
    }

    @Override
    public void circuitChanged(String state) {
        if (state.equals("CLOSED")) {
            backlog.get().replay();
        }
    }
}
