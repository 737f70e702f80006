package io.surewrite.autoconfigure;

import io.surewrite.write.InvalidConfigurationException;
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
 * @param downAfter How long a write may wait until the health is DOWN.
 */
@ConfigurationProperties(BacklogProperties.PREFIX)
record BacklogProperties(
        @DefaultValue("false") boolean enabled,
        @Nullable Path directory,
        @DefaultValue("100000") long maxEntries,
        @DefaultValue("256MB") DataSize maxSize,
        @DefaultValue("refuse") Recover recover,
        @DefaultValue("6h") Duration downAfter) {

    static final String PREFIX = "surewrite.backlog";

    /** What explains a refusal. */
    static final String PAGE = "backlog";

    BacklogProperties {
        PropertyCheck.require(
                maxEntries >= 1, PREFIX + ".max-entries", maxEntries, "there must be room for at least 1");
        PropertyCheck.require(maxSize.toBytes() >= 1, PREFIX + ".max-size", maxSize, "it must be positive");
        PropertyCheck.require(
                downAfter.compareTo(Duration.ZERO) > 0, PREFIX + ".down-after", downAfter, "it must be positive");
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
}
