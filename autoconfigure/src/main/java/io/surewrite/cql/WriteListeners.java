package io.surewrite.cql;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Several listeners as one; what the first opens it closes last. */
record WriteListeners(List<WriteListener> listeners) implements WriteListener {

    @Override
    public Call started(String operation) {
        return new Calls(
                listeners.stream().map(listener -> listener.started(operation)).toList());
    }

    @Override
    public void circuitChanged(String state) {
        listeners.forEach(listener -> listener.circuitChanged(state));
    }

    private record Calls(List<Call> calls) implements Call {

        @Override
        public Map<?, ?> reactorContext() {
            Map<Object, Object> all = new HashMap<>();
            calls.forEach(call -> all.putAll(call.reactorContext()));
            return all;
        }

        @Override
        public WriteScope.Opened attemptStarted() {
            WriteScope.Opened all = () -> {};
            for (Call call : calls) {
                WriteScope.Opened inner = call.attemptStarted();
                WriteScope.Opened outer = all;
                all = () -> {
                    inner.close();
                    outer.close();
                };
            }
            return all;
        }

        @Override
        public void attemptFailed(int attempt, FailureKind kind, Throwable failure) {
            calls.forEach(call -> call.attemptFailed(attempt, kind, failure));
        }

        @Override
        public void ended(End end, int attempts) {
            calls.forEach(call -> call.ended(end, attempts));
        }
    }
}
