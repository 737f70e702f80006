package io.surewrite.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.backlog.WriteBacklog.BacklogSize;
import java.time.Clock;
import java.util.function.ToDoubleFunction;

/** Shows how much waits. */
record BacklogMetrics(WriteBacklog backlog, Clock clock) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, SurewriteMeter.BACKLOG_SIZE, BacklogSize::entries);
        gauge(registry, SurewriteMeter.BACKLOG_BYTES, BacklogSize::bytes);
        gauge(registry, SurewriteMeter.BACKLOG_DEAD, BacklogSize::deadLetters);
        gauge(registry, SurewriteMeter.BACKLOG_LOST, BacklogSize::lost);
        gauge(
                registry,
                SurewriteMeter.BACKLOG_OLDEST_AGE,
                size -> size.age(clock.instant()).toSeconds());
    }

    private void gauge(MeterRegistry registry, SurewriteMeter meter, ToDoubleFunction<BacklogSize> value) {
        meter.gauge(registry, () -> value.applyAsDouble(backlog.size()));
    }
}
