package io.surewrite.backlog;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.backlog.WriteBacklog.BacklogSize;
import io.surewrite.internal.observe.Observed;
import io.surewrite.internal.observe.QuietLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of kept writes: one line of log when they begin to wait and one when nothing waits any more, and the callbacks of
 * the application. Lines have operations and no values.
 */
final class BacklogEvents {

    private static final Logger log = LoggerFactory.getLogger(BacklogEvents.class);

    private final List<BacklogListener> listeners;
    private final ObservationRegistry observations;
    private final QuietLog lines = new QuietLog();
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final AtomicLong replayed = new AtomicLong();

    BacklogEvents(List<BacklogListener> listeners, ObservationRegistry observations, BacklogSize size) {
        this.listeners = List.copyOf(listeners);
        this.observations = observations;
        if (size.entries() > 0) {
            waiting.set(true);
            log.info(
                    "{} write(s) wait in the backlog from before this start, the oldest since {}",
                    size.entries(),
                    size.oldest());
        }
    }

    ObservationRegistry observations() {
        return observations;
    }

    void closed(BacklogSize size) {
        if (size.entries() > 0) {
            log.warn(
                    "The process ends while {} write(s) wait in the backlog, the oldest since {}: they are done after the"
                            + " next start on this directory",
                    size.entries(),
                    size.oldest());
        }
    }

    void kept(String operation) {
        if (waiting.compareAndSet(false, true)) {
            replayed.set(0);
            log.info("{}: kept in the backlog, as further writes are, until Cassandra takes them", operation);
        } else {
            log.debug("{}: kept in the backlog", operation);
        }
    }

    void notKept(String operation, Throwable why) {
        lines.say(
                operation + "|not-kept",
                more -> log.warn(
                        "{}: could not be kept in the backlog, {}{}",
                        operation,
                        why.getClass().getSimpleName(),
                        more));
    }

    void replayed(String operation, Duration waited) {
        replayed.incrementAndGet();
        log.debug("{}: done, {} s after its decision", operation, waited.toSeconds());
        tell(listener -> listener.replayed(operation, waited));
    }

    void waits(String operation, String failure) {
        lines.say(
                operation + "|waits|" + failure,
                more -> log.warn("{}: kept, and not done yet, {}. It is tried again{}", operation, failure, more));
    }

    void expired(String operation) {
        lines.say(
                operation + "|expired",
                more -> log.info("{}: expired before it could be done, dropped from the backlog{}", operation, more));
        tell(listener -> listener.expired(operation));
    }

    void died(DeadLetter letter) {
        String reason = Observed.lowerCase(letter.reason());
        lines.say(
                letter.operation() + "|died|" + reason,
                more -> log.warn(
                        "{}: given up after it was kept, dead letter {}, {}{}",
                        letter.operation(),
                        letter.id(),
                        reason,
                        more));
        tell(listener -> listener.died(letter));
    }

    void noteIfDrained(BacklogSize size) {
        if (size.entries() == 0 && waiting.compareAndSet(true, false)) {
            log.info("The backlog has drained: nothing waits any more. Done meanwhile: {}", replayed.getAndSet(0));
        }
    }

    private void tell(Consumer<BacklogListener> event) {
        for (BacklogListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable failure) {
                String type = listener.getClass().getName();
                lines.say(
                        type,
                        more -> log.warn(
                                "The listener {} failed. It changed nothing of the kept write{}", type, more, failure));
            }
        }
    }
}
