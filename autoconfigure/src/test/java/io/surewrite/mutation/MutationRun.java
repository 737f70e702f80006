package io.surewrite.mutation;

import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.embedded.SharedCassandra;
import io.surewrite.test.InstalledJdk;
import io.surewrite.test.TestConnection;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.util.FileSystemUtils;

/**
 * Plants faults into packages, one package after the other, and has PIT find out which the tests notice. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pmutation package}, which makes a page of it, too.
 *
 * <p>All the JVMs in which the tests run share a server that this one has started. They run on the newest JDK that is
 * installed: 17 crashes now and then when the code of its loaded classes is replaced.
 */
public final class MutationRun {

    /** All faults of a large class in one JVM would be waited for long after the other threads have nothing left to do. */
    private static final String FAULTS_OF_A_JVM = "20";

    private static final String SHARED_SERVER = "io.surewrite.embedded.shared.";

    /** Absolute: PIT compares names. */
    private static final Path CORE = Path.of("..", "core").toAbsolutePath().normalize();

    /** What answers for a server: by the property that says where that one is. */
    private static final Map<String, String> LARGE = new HashMap<>();

    private MutationRun() {}

    /**
     * Runs it.
     *
     * @param arguments the number of threads, and names of packages with commas
     * @throws Exception when PIT fails, which surviving faults do not make it
     */
    public static void main(String[] arguments) throws Exception {
        String threads = arguments[0];
        List<MutatedPackage> packages = MutatedPackage.named(arguments[1]);
        for (MutatedPackage mutated : packages) {
            if (mutated.keepsKeyspaces()) {
                TestConnection.longLivedServer();
                leaveSomethingBehind(mutated, threads);
            } else {
                answerForTheDefaultServer();
            }
            run(mutated, threads, FAULTS_OF_A_JVM);
            if (Files.readString(unfinished(mutated).resolve("mutations.csv")).contains("RUN_ERROR")) {
                run(mutated, threads, "1");
            }
            finish(mutated);
        }
        System.exit(0); // with the server
    }

    /**
     * Each JVM makes keyspaces of its own, and leaves them when it is killed. All of them may be more than the heap of the server that
     * the tests ask for can hold: it would end, and each JVM would start another one. A larger one takes its place.
     */
    private static void answerForTheDefaultServer() {
        if (LARGE.isEmpty()) {
            SharedCassandra.get();
            List<String> asked = sharedServers();
            SharedCassandra.get(EmbeddedCassandra.builder().heapMegabytes(4096).jvmArgument("-XX:TieredStopAtLevel=4"));
            List<String> large = sharedServers();
            large.removeAll(asked);
            asked.forEach(property -> LARGE.put(property, System.getProperty(large.get(0))));
        }
    }

    /**
     * Runs the tests once without faults, in a JVM of their own. Keyspaces are kept from JVM to JVM: a test that fails where it
     * has been before would seem to notice every fault. PIT refuses it when it runs the tests again.
     */
    private static void leaveSomethingBehind(MutatedPackage mutated, String threads) throws Exception {
        List<String> command = command(mutated, threads, Path.of("target", "mutation-dry-run"));
        command.add("--dryRun");
        pit(mutated, "without faults", command);
    }

    /**
     * Runs PIT. The JVM may crash when the code of a class is replaced a second time: what that left open is looked at with
     * a JVM for each fault.
     */
    private static void run(MutatedPackage mutated, String threads, String faultsOfAJvm) throws Exception {
        List<String> command = command(mutated, threads, unfinished(mutated));
        command.addAll(history(mutated));
        command.addAll(List.of("--mutationUnitSize", faultsOfAJvm));
        pit(mutated, "with " + faultsOfAJvm + " to a JVM", command);
    }

    private static void pit(MutatedPackage mutated, String how, List<String> command) throws Exception {
        System.out.printf("%n=== %s %s%n", mutated.home(), how);
        int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IllegalStateException("PIT failed on " + mutated.home());
        }
    }

    /** Where PIT writes: what a run that was stopped has left is not to be taken for a result. */
    private static Path unfinished(MutatedPackage mutated) {
        return Path.of("target", "mutation-unfinished", mutated.id());
    }

    private static void finish(MutatedPackage mutated) throws IOException {
        Path report = Path.of("target", "mutation", mutated.id());
        FileSystemUtils.deleteRecursively(report);
        Files.createDirectories(report.getParent());
        Files.move(unfinished(mutated), report);
    }

    private static List<String> command(MutatedPackage mutated, String threads, Path report) throws Exception {
        List<InstalledJdk> jdks = InstalledJdk.runningAndNewest();
        List<String> command = new ArrayList<>(List.of(
                jdks.get(jdks.size() - 1).java(),
                "-classpath",
                // First the folders: PIT plants no faults in an archive.
                String.join(
                        File.pathSeparator,
                        CORE.resolve(Path.of("target", "classes")).toString(),
                        CORE.resolve(Path.of("target", "test-classes")).toString(),
                        System.getProperty("java.class.path")),
                "org.pitest.mutationtest.commandline.MutationCoverageReport"));
        command.addAll(mutated.options());
        command.addAll(List.of(
                "--reportDir",
                report.toString(),
                "--sourceDirs",
                CORE.resolve(Path.of("src", "main", "java")).toString(),
                "--mutableCodePaths",
                CORE.resolve(Path.of("target", "classes")).toString(),
                "--threads",
                threads,
                // A busy machine is not to look like an endless loop, nor a JVM that makes a test's context anew.
                "--timeoutConst",
                "30000",
                "--outputFormats",
                "CSV,HTML",
                "--timestampedReports=false",
                "--jvmArgs",
                // Several of them and the server share the machine's memory. PIT ends a JVM whose old generation is
                // nearly full, be it of garbage, which G1 collects long before.
                "-XX:+EnableDynamicAgentLoading,-XX:TieredStopAtLevel=1,-XX:+UseG1GC,-Xmx2g,-D" + TestConnection.KEPT
                        + "=" + mutated.keepsKeyspaces() + sharedServer()));
        return command;
    }

    /** What an earlier run found, so that a second one looks only at what its changes can have changed. */
    private static List<String> history(MutatedPackage mutated) {
        String file = Path.of("target", "mutation-unfinished", mutated.id() + ".history")
                .toString();
        return List.of("--historyInputLocation", file, "--historyOutputLocation", file);
    }

    /** Where the server is, as {@link SharedCassandra} looks for it. */
    private static String sharedServer() {
        return sharedServers().stream()
                .map(name -> ",\"-D" + name + "=" + LARGE.getOrDefault(name, System.getProperty(name)) + "\"")
                .collect(Collectors.joining());
    }

    private static List<String> sharedServers() {
        return System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(SHARED_SERVER))
                .collect(Collectors.toCollection(ArrayList::new));
    }
}
