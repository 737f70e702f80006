package io.surewrite.unique;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Tells several. */
record UniqueListeners(List<UniqueListener> listeners) implements UniqueListener {

    UniqueListeners {
        listeners = List.copyOf(listeners);
    }

    @Override
    public Consumer<End> begun(String operation) {
        List<Consumer<End>> all =
                listeners.stream().map(listener -> listener.begun(operation)).toList();
        return end -> all.forEach(one -> one.accept(end));
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
