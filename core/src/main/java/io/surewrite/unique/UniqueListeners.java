package io.surewrite.unique;

import io.surewrite.cql.GuardedListeners;
import io.surewrite.cql.WriteScope;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Several listeners as one. */
record UniqueListeners(GuardedListeners<UniqueListener> listeners) implements UniqueListener {

    @Override
    public Call begun(String operation, @Nullable String table) {
        GuardedListeners<Call> calls = listeners.ask(listener -> listener.begun(operation, table), Call.NONE);
        return calls.isEmpty() ? Call.NONE : new Calls(calls);
    }

    private record Calls(GuardedListeners<Call> calls) implements Call {

        @Override
        public void ended(End end) {
            calls.tell(call -> call.ended(end));
        }

        @Override
        public WriteScope.Opened stepStarted() {
            return calls.open(Call::stepStarted);
        }
    }

    @Override
    public void ended(String operation, End end, Duration took) {
        listeners.tell(listener -> listener.ended(operation, end, took));
    }

    @Override
    public void claimed(String constraint) {
        listeners.tell(listener -> listener.claimed(constraint));
    }

    @Override
    public void duplicate(String constraint) {
        listeners.tell(listener -> listener.duplicate(constraint));
    }

    @Override
    public void takenOver(String constraint, Fence fence) {
        listeners.tell(listener -> listener.takenOver(constraint, fence));
    }
}
