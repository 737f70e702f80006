package io.surewrite.unique;

import io.surewrite.cql.WriteScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Tells several. */
record UniqueListeners(List<UniqueListener> listeners) implements UniqueListener {

    UniqueListeners {
        listeners = List.copyOf(listeners);
    }

    @Override
    public Call begun(String operation) {
        List<Call> calls = new ArrayList<>();
        for (UniqueListener listener : listeners) {
            Call call = listener.begun(operation);
            if (call != Call.NONE) {
                calls.add(call);
            }
        }
        return calls.isEmpty() ? Call.NONE : new Calls(calls);
    }

    private record Calls(List<Call> calls) implements Call {

        @Override
        public void ended(End end) {
            calls.forEach(call -> call.ended(end));
        }

        @Override
        public WriteScope.Opened stepStarted() {
            WriteScope.Opened all = () -> {};
            for (Call call : calls) {
                WriteScope.Opened inner = call.stepStarted();
                WriteScope.Opened outer = all;
                all = () -> {
                    inner.close();
                    outer.close();
                };
            }
            return all;
        }
    }

    @Override
    public void ended(String operation, End end, Duration took) {
        listeners.forEach(listener -> listener.ended(operation, end, took));
    }

    @Override
    public void claimed(String constraint) {
        listeners.forEach(listener -> listener.claimed(constraint));
    }

    @Override
    public void duplicate(String constraint) {
        listeners.forEach(listener -> listener.duplicate(constraint));
    }

    @Override
    public void takenOver(String constraint, Fence fence) {
        listeners.forEach(listener -> listener.takenOver(constraint, fence));
    }

    @Override
    public void slow(String operation) {
        listeners.forEach(listener -> listener.slow(operation));
    }

    @Override
    public void scanned(UniqueReport soFar) {
        listeners.forEach(listener -> listener.scanned(soFar));
    }
}
