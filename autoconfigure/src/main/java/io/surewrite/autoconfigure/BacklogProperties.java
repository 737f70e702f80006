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
 * @param recover What happens at the start if writes that were kept are missing or damaged.
 * @param replayRate How many writes are replayed a second at most; 0 for no bound.
 * @param probeInterval How long after a failure the oldest write is tried again. Doubles, up to thirty times that.
 * @param maxAttempts How often a write may fail while others succeed, until it is a dead letter.
 * @param degradedAfter How long a write may wait until the health is DEGRADED.
 * @param downAfter How long a write may wait until the health is DOWN.
 */
@ConfigurationProperties(BacklogProperties.PREFIX)
record BacklogProperties(
        @DefaultValue("false") boolean enabled,
        @Nullable Path directory,
        @DefaultValue("100000") long maxEntries,
        @DefaultValue("256MB") DataSize maxSize,
        @DefaultValue("refuse") Recover recover,
        @DefaultValue("0") int replayRate,
        @DefaultValue("1s") Duration probeInterval,
        @DefaultValue("10") int maxAttempts,
        @DefaultValue("1m") Duration degradedAfter,
        @DefaultValue("6h") Duration downAfter) {

    static final String PREFIX = "surewrite.backlog";

    /** What explains a refusal. */
    static final String PAGE = "backlog";

    private static final Duration GRACE_MARGIN = Duration.ofHours(1);
    private static final int CONCURRENCY = 32;
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

    /** What a server takes in one frame and one mutation, unless it is told otherwise. */
    private static final DataSize MAX_ENTRY_SIZE = DataSize.ofMegabytes(16);

    BacklogProperties {
        PropertyCheck.require(
                maxEntries >= 1, PREFIX + ".max-entries", maxEntries, "there must be room for at least 1");
        PropertyCheck.require(maxSize.toBytes() >= 1, PREFIX + ".max-size", maxSize, "it must be positive");
        PropertyCheck.require(
                downAfter.compareTo(degradedAfter) >= 0,
                PREFIX + ".down-after",
                downAfter,
                "it must not be below degraded-after");
    }

    /** What happens if writes that were kept are missing or damaged. */
    enum Recover {
        /** The start is refused. */
        REFUSE,
        /** What is there goes on, and dead letters stand for the rest. */
        ACCEPT_LOSS
    }

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
                        GRACE_MARGIN,
                        CONCURRENCY,
                        replayRate,
                        probeInterval,
                        probeInterval.multipliedBy(30),
                        maxAttempts,
                        SHUTDOWN_TIMEOUT,
                        MAX_ENTRY_SIZE.toBytes()));
    }
}
