package io.surewrite.actuate;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.surewrite.backlog.BacklogSize;
import io.surewrite.backlog.WriteBacklog;
import java.time.Clock;
import java.time.Duration;
import java.util.function.ToDoubleFunction;

/**
 * Shows how much waits: {@code surewrite.backlog.size}, {@code .bytes}, {@code .dead}, {@code .lost} and {@code .oldest.age} in seconds.
 *
 * @param backlog what they are about
 * @param clock measures how old something is
 */
public record BacklogMetrics(WriteBacklog backlog, Clock clock) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "size", "Writes that wait for the cluster", BacklogSize::entries);
        gauge(registry, "bytes", "How large the kept writes are", BacklogSize::bytes);
        gauge(registry, "dead", "Kept writes that were given up", BacklogSize::deadLetters);
        gauge(registry, "lost", "Kept writes that the disk may have lost or damaged", BacklogSize::lost);
        gauge(
                registry,
                "oldest.age",
                "How long ago the oldest waiting write was decided, in seconds",
                size -> age(size, clock).toSeconds());
    }

    /** How long ago the oldest waiting write was decided; zero if none waits. */
    static Duration age(BacklogSize size, Clock clock) {
        return size.oldest() == null ? Duration.ZERO : Duration.between(size.oldest(), clock.instant());
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<BacklogSize> value) {
        Gauge.builder("surewrite.backlog." + name, backlog, shown -> value.applyAsDouble(shown.size()))
                .description(description)
                .register(registry);
    }
}
