package io.surewrite.mutation;

import io.surewrite.test.Waits;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A package into which faults are planted. The tests in it are to notice them, and the fast ones elsewhere that are named for it
 * here, but for the simulation, which runs for seconds and looks for planted bugs of its own (its first schedules stand in
 * for it), for those with a server that are too slow to be run again for each fault, and for those that {@linkplain Waits
 * wait}.
 */
enum MutatedPackage {
    CQL("analysis.Corpus", "analysis.RandomStatements"),
    RETRY,
    LEASE("tenure.LeaseLocks"),
    /** The last of these changes tables, and JVMs share them. */
    UNIQUE("claims.LostAnswers", "claims.RoundTrips", "claims.UniqueCrash", "ColumnAdded"),
    OVERWRITE("OverwriteRepository", "WithoutOptionalLibraries");

    private final String excluded;

    MutatedPackage(String... unsuited) {
        excluded = Stream.concat(
                        Stream.of("*SimulationTests"),
                        Arrays.stream(unsuited).map(name -> home() + "." + name + "IntegrationTests"))
                .collect(Collectors.joining(","));
    }

    static List<MutatedPackage> named(String ids) {
        return Arrays.stream(ids.split(",", -1))
                .map(id -> valueOf(id.toUpperCase(Locale.ROOT)))
                .toList();
    }

    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether its tests pass where they have been before, so that a JVM need not make keyspaces of its own. */
    boolean keepsKeyspaces() {
        return this == LEASE || this == UNIQUE;
    }

    String home() {
        return "io.surewrite." + id();
    }

    /** Its own, and those of what is made of it. */
    private String tests() {
        String beside = "io.surewrite.repository."; // what stands on the retry and its scope
        return switch (this) {
            case CQL ->
                String.join(
                        ",",
                        home() + ".*",
                        "io.surewrite.retry.engine.*",
                        beside + "WritesOnOtherThreadsTests",
                        beside + "IdempotentBeanTests",
                        beside + "RetriesUnderLeasesTests",
                        "io.surewrite.autoconfigure.OtherServersTests",
                        "io.surewrite.autoconfigure.CircuitBreakersTests",
                        "io.surewrite.actuate.ClockHealthIndicatorTests",
                        "io.surewrite.actuate.SurewriteMeterTests");
            case RETRY ->
                String.join(
                        ",",
                        home() + ".*",
                        beside + "WritesOnOtherThreadsTests",
                        beside + "IdempotentBeanTests",
                        beside + "RetriesUnderLeasesTests",
                        beside + "CallsOfManyStatementsIntegrationTests",
                        beside + "KeptWritesIntegrationTests",
                        "io.surewrite.autoconfigure.CircuitBreakersTests");
            case OVERWRITE ->
                String.join(
                        ",",
                        home() + ".*",
                        "io.surewrite.unique.ColumnAddedIntegrationTests",
                        "io.surewrite.unique.ColumnsOfGuardedWritesIntegrationTests");
            default -> home() + ".*";
        };
    }

    /** What PIT is told about it. */
    List<String> options() {
        return List.of(
                "--targetClasses",
                this == OVERWRITE ? home() + ".*,io.surewrite.rows.*" : home() + ".*", // what overwrites stand on
                "--targetTests",
                tests(),
                "--excludedTestClasses",
                excluded,
                "--excludedGroups",
                Waits.TAG);
    }
}
