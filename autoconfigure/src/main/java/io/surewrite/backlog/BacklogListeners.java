package io.surewrite.backlog;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several listeners as one; what they throw changes nothing of what becomes of a write. */
record BacklogListeners(List<BacklogListener> listeners) implements BacklogListener {

    private static final Logger log = LoggerFactory.getLogger(BacklogListeners.class);

    @Override
    public void kept(String operation) {
        tell(listener -> listener.kept(operation));
    }

    @Override
    public void notKept(String operation, Throwable why) {
        tell(listener -> listener.notKept(operation, why));
    }

    @Override
    public void replayed(String operation, Duration waited) {
        tell(listener -> listener.replayed(operation, waited));
    }

    @Override
    public void expired(String operation) {
        tell(listener -> listener.expired(operation));
    }

    @Override
    public void died(DeadLetter letter) {
        tell(listener -> listener.died(letter));
    }

    private void tell(Consumer<BacklogListener> call) {
        for (BacklogListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException failure) {
                log.warn("A listener of the backlog failed", failure);
            }
        }
    }
}
