package io.surewrite.matrix;

import io.surewrite.test.InstalledJdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs a core of the integration tests on each version of Cassandra, both kinds of Paxos and both protocols, and once on
 * each version with the newest JDK that is installed beside this one, and prints a table. Ends with an error if a test
 * failed. Run it with {@code mvn -pl autoconfigure -am -DskipTests -Pmatrix process-test-classes}.
 */
public final class Matrix {

    private static final String CORE = String.join(
            ",",
            "lease.LeaseProtocolIntegrationTests",
            "unique.claims.UniqueGuardIntegrationTests",
            "unique.claims.ClaimStoreIntegrationTests",
            "unique.claims.UniqueConstraintsIntegrationTests",
            "overwrite.RowOverwritesIntegrationTests",
            "repository.IdempotentRepositoryIntegrationTests",
            "journal.buckets.AttributeJournalIntegrationTests",
            "schema.SchemaIntegrationTests");

    private Matrix() {}

    /**
     * Runs it.
     *
     * @param arguments versions of Cassandra with commas, kinds of Paxos, protocols, and, if others than the core, names of
     *     test classes below {@code io.surewrite}
     * @throws Exception when a test failed
     */
    public static void main(String[] arguments) throws Exception {
        List<String> tests = parts(arguments.length > 3 ? arguments[3] : CORE).stream()
                .map(name -> "io.surewrite." + name)
                .toList();
        Path directory = Files.createDirectories(Path.of("target", "matrix"));
        List<Cell.Row> rows = new ArrayList<>();
        for (Cell cell : cells(parts(arguments[0]), parts(arguments[1]), parts(arguments[2]))) {
            System.out.printf("%n=== %s%n", cell);
            rows.add(cell.run(tests, directory.resolve("cell" + rows.size() + ".properties")));
        }
        System.out.println();
        System.out.println(Cell.HEAD);
        rows.forEach(row -> System.out.println(row.text()));
        if (!rows.stream().allMatch(Cell.Row::right)) {
            throw new IllegalStateException("Not all is as it should be");
        }
    }

    private static List<String> parts(String list) {
        return List.of(list.split(",", -1));
    }

    /** Each combination on the running JDK, and on the newest the last of them for each version. */
    private static Set<Cell> cells(List<String> versions, List<String> paxos, List<String> protocols) throws Exception {
        List<InstalledJdk> jdks = InstalledJdk.runningAndNewest();
        Set<Cell> cells = new LinkedHashSet<>();
        for (String version : versions) {
            for (String variant : paxos) {
                for (String protocol : protocols) {
                    cells.add(new Cell(version, variant, protocol, jdks.get(0)));
                }
            }
            cells.add(new Cell(version, last(paxos), last(protocols), last(jdks)));
        }
        return cells;
    }

    private static <T> T last(List<T> list) {
        return list.get(list.size() - 1);
    }
}
