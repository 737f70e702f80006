package io.surewrite.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.backlog.BacklogListener;
import io.surewrite.backlog.DeadLetter;
import java.time.Duration;
import java.util.Locale;

/**
 * Counts what happens to kept writes, tagged by operation: {@code surewrite.backlog.kept}, {@code .not.kept}, {@code
 * .replayed} (with the time waited), {@code .expired} and {@code .died} (by reason).
 */
public final class MicrometerBacklogListener implements BacklogListener {

    private static final String PREFIX = "surewrite.backlog.";

    private final MeterRegistry registry;

    /**
     * Creates the listener.
     *
     * @param registry holds the meters
     */
    public MicrometerBacklogListener(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void kept(String operation) {
        count("kept", operation);
    }

    @Override
    public void notKept(String operation, Throwable why) {
        count("not.kept", operation);
    }

    @Override
    public void replayed(String operation, Duration waited) {
        registry.timer(PREFIX + "replayed", "operation", operation).record(waited);
    }

    @Override
    public void expired(String operation) {
        count("expired", operation);
    }

    @Override
    public void died(DeadLetter letter) {
        String reason = letter.reason().name().toLowerCase(Locale.ROOT).replace('_', '-');
        registry.counter(PREFIX + "died", "operation", letter.operation(), "reason", reason)
                .increment();
    }

    private void count(String what, String operation) {
        registry.counter(PREFIX + what, "operation", operation).increment();
    }
}
