package io.surewrite.backlog;

import java.time.Duration;
import java.util.List;

/** Several listeners as one. */
record BacklogListeners(List<BacklogListener> listeners) implements BacklogListener {

    @Override
    public void kept(String operation) {
        listeners.forEach(listener -> listener.kept(operation));
    }

    @Override
    public void notKept(String operation, Throwable why) {
        listeners.forEach(listener -> listener.notKept(operation, why));
    }

    @Override
    public void replayed(String operation, Duration waited) {
        listeners.forEach(listener -> listener.replayed(operation, waited));
    }

    @Override
    public void expired(String operation) {
        listeners.forEach(listener -> listener.expired(operation));
    }

    @Override
    public void died(DeadLetter letter) {
        listeners.forEach(listener -> listener.died(letter));
    }
}
