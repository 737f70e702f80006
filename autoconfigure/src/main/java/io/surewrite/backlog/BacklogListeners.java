package io.surewrite.backlog;

import io.surewrite.cql.GuardedListeners;
import java.time.Duration;

/** Several listeners as one. */
record BacklogListeners(GuardedListeners<BacklogListener> listeners) implements BacklogListener {

    @Override
    public void kept(String operation) {
        listeners.tell(listener -> listener.kept(operation));
    }

    @Override
    public void notKept(String operation, Throwable why) {
        listeners.tell(listener -> listener.notKept(operation, why));
    }

    @Override
    public void replayed(String operation, Duration waited) {
        listeners.tell(listener -> listener.replayed(operation, waited));
    }

    @Override
    public void expired(String operation) {
        listeners.tell(listener -> listener.expired(operation));
    }

    @Override
    public void died(DeadLetter letter) {
        listeners.tell(listener -> listener.died(letter));
    }
}
