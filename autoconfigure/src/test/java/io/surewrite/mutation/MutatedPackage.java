package io.surewrite.mutation;

import io.surewrite.test.Waits;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A package into which faults are planted. The tests in it are to notice them, but for the simulation, which runs for
 * seconds and looks for planted bugs of its own (its first schedules stand in for it), for those with a server that are
 * too slow to be run again for each fault, and for those that {@linkplain Waits wait}.
 */
enum MutatedPackage {
    CQL("analysis.Corpus", "analysis.RandomStatements"),
    RETRY,
    LEASE("tenure.LeaseLocks"),
    UNIQUE("claims.LostAnswers", "claims.RoundTrips", "claims.UniqueCrash"),
    OVERWRITE("OverwriteRepository", "WithoutOptionalLibraries");

    private final String excluded;

    MutatedPackage(String... tooSlow) {
        excluded = Stream.concat(
                        Stream.of("*SimulationTests"),
                        Arrays.stream(tooSlow).map(name -> home() + "." + name + "IntegrationTests"))
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

    /** What PIT is told about it. */
    List<String> options() {
        return List.of(
                "--targetClasses",
                this == OVERWRITE ? home() + ".*,io.surewrite.rows.*" : home() + ".*", // what overwrites stand on
                "--targetTests",
                home() + ".*",
                "--excludedTestClasses",
                excluded,
                "--excludedGroups",
                Waits.TAG);
    }
}
