package io.surewrite.autoconfigure;

import io.surewrite.backlog.replay.BacklogSettings;
import io.surewrite.cql.InvalidConfigurationException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The backlog of writes that wait for the cluster. Needs org.xerial:sqlite-jdbc.
 *
 * @param enabled Whether there is one.
 * @param directory Where it is: on a local disk that outlives the process, and of this process alone.
 * @param maxEntries How many writes, dead letters included, it takes.
 * @param maxSize How large these may be together.
 * @param maxEntrySize How large one may be: no larger than the servers' frames and mutations.
 * @param recover What happens at the start if writes that were kept are missing or damaged.
 * @param graceMargin How long before gc_grace_seconds of its table are over a write is too old to be done.
 * @param shutdownTimeout How long closing waits for writes under way.
 * @param replay How what waits is done.
 * @param health When its health gets worse.
 */
@ConfigurationProperties(BacklogProperties.PREFIX)
record BacklogProperties(
        @DefaultValue("false") boolean enabled,
        @Nullable Path directory,
        @DefaultValue("100000") long maxEntries,
        @DefaultValue("256MB") DataSize maxSize,
        @DefaultValue("16MB") DataSize maxEntrySize,
        @DefaultValue("refuse") Recover recover,
        @DefaultValue("1h") Duration graceMargin,
        @DefaultValue("5s") Duration shutdownTimeout,
        @DefaultValue Replay replay,
        @DefaultValue Health health) {

    static final String PREFIX = "surewrite.backlog";

    /** What explains a refusal. */
    static final String PAGE = "backlog";

    BacklogProperties {
        PropertyCheck.require(
                maxEntries >= 1, PREFIX + ".max-entries", maxEntries, "there must be room for at least 1");
        PropertyCheck.require(maxSize.toBytes() >= 1, PREFIX + ".max-size", maxSize, "it must be positive");
        PropertyCheck.require(
                health.downAfter().compareTo(health.degradedAfter()) >= 0,
                PREFIX + ".health.down-after",
                health.downAfter(),
                "it must not be below health.degraded-after");
    }

    /** What happens if writes that were kept are missing or damaged. */
    enum Recover {
        /** The start is refused. */
        REFUSE,
        /** What is there goes on, and dead letters stand for the rest. */
        ACCEPT_LOSS
    }

    /**
     * How what waits is done.
     *
     * @param concurrency How many writes are replayed at the same time.
     * @param rate How many writes are replayed a second at most; 0 for no bound.
     * @param probeInterval How long after a failure the oldest write is tried again.
     * @param maxProbeInterval What that grows to, by doubling.
     * @param maxAttempts How often a write may fail while others succeed, until it is a dead letter.
     */
    record Replay(
            @DefaultValue("32") int concurrency,
            @DefaultValue("0") int rate,
            @DefaultValue("1s") Duration probeInterval,
            @DefaultValue("30s") Duration maxProbeInterval,
            @DefaultValue("10") int maxAttempts) {}

    /**
     * When its health gets worse.
     *
     * @param degradedAfter How long a write may wait until the health is DEGRADED.
     * @param downAfter How long a write may wait until the health is DOWN.
     */
    record Health(
            @DefaultValue("1m") Duration degradedAfter,
            @DefaultValue("6h") Duration downAfter) {}

    Path requiredDirectory() {
        if (directory == null) {
            throw new InvalidConfigurationException(
                    PREFIX + ".directory",
                    PREFIX
                            + ".directory is not set. The backlog needs a directory on a local disk that outlives the process, and of this process alone.",
                    "Set %s.directory.".formatted(PREFIX),
                    PAGE);
        }
        return directory;
    }

    BacklogSettings settings() {
        return PropertyCheck.settings(
                PREFIX,
                PAGE,
                () -> new BacklogSettings(
                        graceMargin,
                        replay.concurrency(),
                        replay.rate(),
                        replay.probeInterval(),
                        replay.maxProbeInterval(),
                        replay.maxAttempts(),
                        shutdownTimeout,
                        maxEntrySize.toBytes()));
    }
}
