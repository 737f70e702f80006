package io.surewrite.autoconfigure;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/**
 * All meters: each thing that is measured has one. The table in {@code docs/meters.md} is made of this. Values, and names of
 * leases, are no tags: there may be any number of them. A value of a tag that is one of ours is in lower case. The name of a
 * constant is that of its meter: {@code LEASE_HELD} is {@code surewrite.lease.held}.
 */
enum SurewriteMeter {

    // Logical writes
    WRITE(Kind.OBSERVATION, "Logical writes: calls with a retry, and conditional writes", "operation", "outcome"),
    WRITE_ATTEMPT_FAILED(Kind.OBSERVED_EVENT, "Attempts of logical writes that failed", "operation"),
    WRITE_SETTLED(
            Kind.OBSERVED_EVENT, "Logical writes whose outcome was unknown at first, and is decided", "operation"),
    CIRCUIT(Kind.GAUGE, "1 for the state that the circuit breaker is in; none without a breaker", "circuit", "state"),

    // Leases
    LEASE_ACQUIRE(Kind.OBSERVATION, "Leases that were asked for, and how long their callers waited", "outcome"),
    LEASE_HOLD(Kind.OBSERVATION, "Leases that were held, how long, and how that ended", "outcome"),
    LEASE_HELD(Kind.GAUGE, "Leases that this process holds now"),

    // Unique values
    UNIQUE(Kind.OBSERVATION, "Writes of rows with unique values, and claims", "operation", "outcome"),
    UNIQUE_TAKEOVER(Kind.OBSERVED_EVENT, "Claims of writers that did not finish, taken over", "operation"),

    // The backlog
    BACKLOG_KEEP(Kind.OBSERVATION, "Writes that were to be kept", "operation", "outcome"),
    BACKLOG_REPLAY(Kind.OBSERVATION, "Kept writes whose turn came, and what became of them", "operation", "outcome"),
    BACKLOG_SIZE(Kind.GAUGE, "Writes that wait for the cluster"),
    BACKLOG_BYTES(Kind.GAUGE, Unit.BYTES, "How large the kept writes are"),
    BACKLOG_DEAD(Kind.GAUGE, "Dead letters: kept writes that were given up"),
    BACKLOG_LOST(Kind.GAUGE, "Kept writes that the disk may have lost or damaged"),
    BACKLOG_OLDEST_AGE(Kind.GAUGE, Unit.SECONDS, "Since when the oldest waiting write is decided"),

    // Clocks
    CLOCK_OFFSET(
            Kind.GAUGE,
            Unit.SECONDS,
            "How far the node's clock is ahead of this process's; not a number while unknown",
            "session",
            "node"),
    CLOCK_OFFSET_UNCERTAINTY(Kind.GAUGE, Unit.SECONDS, "How far the offset may be wrong", "session", "node"),
    CLOCK_PROBLEMS(Kind.GAUGE, "Limits of clocks that are broken", "session");

    enum Kind {
        /** Shows what is now. */
        GAUGE,
        /** A timer, made of an observation, which is also a span. */
        OBSERVATION,
        /** A counter, made of the events of an observation. */
        OBSERVED_EVENT
    }

    private enum Unit {
        NONE,
        SECONDS,
        BYTES
    }

    private final String id;
    private final Kind kind;
    private final String unit;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // it is
    private final List<String> tags;

    SurewriteMeter(Kind kind, String description, String... tags) {
        this(kind, kind == Kind.OBSERVATION ? Unit.SECONDS : Unit.NONE, description, tags);
    }

    SurewriteMeter(Kind kind, Unit unit, String description, String... tags) {
        this.id = "surewrite." + name().toLowerCase(Locale.ROOT).replace('_', '.');
        this.kind = kind;
        this.unit = unit == Unit.NONE ? "" : unit.name().toLowerCase(Locale.ROOT);
        this.description = description;
        this.tags = List.of(tags);
    }

    String id() {
        return id;
    }

    Kind kind() {
        return kind;
    }

    /** {@return in what it measures, or empty for a plain number} */
    String unit() {
        return unit;
    }

    String description() {
        return description;
    }

    List<String> tags() {
        return tags;
    }

    /** The tags of these values, which are in the order of the names. */
    private Tags tags(String... values) {
        if (values.length != tags.size()) {
            throw new IllegalArgumentException(id + " has the tags " + tags);
        }
        String[] pairs = new String[2 * values.length];
        for (int i = 0; i < values.length; i++) {
            pairs[2 * i] = tags.get(i);
            pairs[2 * i + 1] = values[i];
        }
        return Tags.of(pairs);
    }

    /** Registers a gauge, and keeps what it shows. */
    void gauge(MeterRegistry registry, Supplier<Number> value, String... values) {
        Tags named = tags(values);
        try {
            Gauge.builder(id, value)
                    .description(description)
                    .baseUnit(unit.isEmpty() ? null : unit)
                    .tags(named)
                    .strongReference(true)
                    .register(registry);
        } catch (RuntimeException refused) { // by a filter of the application: a write may be waiting
            LoggerFactory.getLogger(SurewriteMeter.class).warn("The meter {} is not there", id, refused);
        }
    }
}
