package io.surewrite.cql;

import java.util.HashMap;
import java.util.Map;

/** Several listeners as one. */
record WriteListeners(GuardedListeners<WriteListener> listeners) implements WriteListener {

    @Override
    public WriteListener about(String table) {
        return new WriteListeners(listeners.ask(listener -> listener.about(table), NONE));
    }

    @Override
    public Call started(String operation) {
        GuardedListeners<Call> calls = listeners.ask(listener -> listener.started(operation), Call.NONE);
        return calls.isEmpty() ? Call.NONE : new Calls(calls);
    }

    @Override
    public void circuitChanged(String circuit, String state) {
        listeners.tell(listener -> listener.circuitChanged(circuit, state));
    }

    @Override
    public void circuitMade(String circuit) {
        listeners.tell(listener -> listener.circuitMade(circuit));
    }

    private record Calls(GuardedListeners<Call> calls) implements Call {

        @Override
        public Map<?, ?> reactorContext() {
            Map<Object, Object> all = new HashMap<>();
            calls.tell(call -> all.putAll(call.reactorContext()));
            return all;
        }

        @Override
        public WriteScope.Opened attemptStarted() {
            return calls.open(Call::attemptStarted);
        }

        @Override
        public void attemptFailed(int attempt, FailureKind kind, Throwable failure) {
            calls.tell(call -> call.attemptFailed(attempt, kind, failure));
        }

        @Override
        public void ended(End end, int attempts) {
            calls.tell(call -> call.ended(end, attempts));
        }
    }
}
