package io.surewrite.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTests {

    private static final JavaClasses SHIPPED =
            new ClassFileImporter().withImportOption(new ShippedOnly()).importPackages("io.surewrite");

    /** Classes of the tests that break every rule. */
    private static final String PLANTED_ROOT = "io.surewrite.architecture.planted";

    private static final JavaClasses PLANTED = new ClassFileImporter().importPackages(PLANTED_ROOT);

    @Test
    void looksAtWhatShips() {
        assertThat(SHIPPED.contain("io.surewrite.write.ConditionalWrites")).isTrue();
        assertThat(SHIPPED.contain("io.surewrite.architecture.HouseRules")).isFalse();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void whatShipsKeepsTheRule(ArchRule rule) {
        rule.check(SHIPPED);
    }

    static Stream<ArchRule> rules() {
        return new HouseRules("io.surewrite").all();
    }

    @ParameterizedTest
    @MethodSource("breaches")
    void theRuleSeesABreach(ArchRule rule, String culprit) {
        assertThatThrownBy(() -> rule.check(PLANTED))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(culprit);
    }

    static Stream<Arguments> breaches() {
        HouseRules rules = new HouseRules(PLANTED_ROOT);
        return Stream.of(
                Arguments.of(rules.whatPromisesShareNamesNone(), "SharedThatKnowsAPromise"),
                Arguments.of(rules.floors(), "FeatureThatKnowsItsConfiguration"),
                Arguments.of(rules.promisesNameNoOtherPromise(), "RetryThatKnowsLease"),
                Arguments.of(rules.promisesKnowNoSpringAop(), "FeatureWithAdvice"),
                Arguments.of(rules.onlyWhatPromisesShareNamesDriverExceptions(), "SchemaThatCatchesTheDriver"),
                Arguments.of(rules.noPackageCycles(), "Slice"),
                Arguments.of(rules.apiSpeaksOfApiOnly(), "engineOfIt"),
                Arguments.of(rules.everyPackageIsNullMarked(), "WithoutPackageInfo"),
                Arguments.of(rules.autoConfigurationsAreClosed(), "OpenAutoConfiguration"),
                Arguments.of(rules.autoConfigurationsAreClosed(), "calledFromOutside"));
    }

    /** Their clock goes on while the machine sleeps; that of the JVM stands. */
    @Test
    void deadlinesOfWritesCountTheTimeThatTheMachineSleeps() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.surewrite.retry..", "io.surewrite.internal.lwt..", "io.surewrite.autoconfigure..")
                .should()
                .accessTargetWhere(describe(
                        "is System.nanoTime",
                        access -> access.getTarget().getFullName().equals("java.lang.System.nanoTime()")))
                .check(SHIPPED);
    }

    /** What a reader of one call would have to read: it may only become less. Before its rows were whole it was 15,843 lines. */
    @Test
    void aGuardedSaveReachesNoMoreThanItDid() throws IOException {
        assertThat(linesOf(reachedFrom("GuardedStatements"))).isBetween(5_000L, 10_000L);
    }

    /** The page names what must be read to change a flow safely, where it begins first. */
    @ParameterizedTest
    @CsvSource({"guarded save, 18", "lease acquire, 12", "retry, 11", "overwrite, 10", "backlog put, 10"})
    void aFlowIsChangedByReadingFewTypes(String flow, int most) throws IOException {
        String page = Files.readString(Path.of("../docs/architecture.md"));
        String item = page.substring(page.indexOf("- **" + flow + "**")).split("\\n(- |\\n)", 2)[0];
        List<String> toRead = Pattern.compile("`(\\w+)`")
                .matcher(item)
                .results()
                .map(name -> name.group(1))
                .toList();
        Set<JavaClass> reached = reachedFrom(toRead.get(0));
        // What is behind a port is named by nobody who calls it.
        toRead.stream()
                .filter(type -> topLevel(type).getAllRawInterfaces().stream().anyMatch(reached::contains))
                .forEach(type -> reached.addAll(reachedFrom(type)));
        System.out.printf(
                "%s: read %d types: %s. It reaches %d types of %,d lines%n",
                flow, toRead.size(), String.join(", ", toRead), reached.size(), linesOf(reached));
        assertThat(toRead).doesNotHaveDuplicates().hasSizeBetween(2, most);
        assertThat(reached).extracting(JavaClass::getSimpleName).containsAll(toRead);
    }

    /** {@return the top-level types that a reader comes to who follows all names from this one} */
    private static Set<JavaClass> reachedFrom(String type) {
        Deque<JavaClass> next = new ArrayDeque<>(List.of(topLevel(type)));
        Set<JavaClass> seen = new HashSet<>();
        while (!next.isEmpty()) {
            JavaClass one = next.pop();
            if (seen.add(one)) {
                String file = one.getName().replaceAll("\\$.*", "");
                next.push(SHIPPED.get(file));
                one.getDirectDependenciesFromSelf().stream()
                        .map(found -> found.getTargetClass().getBaseComponentType())
                        .filter(found -> SHIPPED.contain(found.getName()))
                        .forEach(next::push);
                SHIPPED.stream()
                        .filter(other -> other.getName().startsWith(file + "$"))
                        .forEach(next::push);
            }
        }
        seen.removeIf(one -> !one.isTopLevelClass());
        return seen;
    }

    private static JavaClass topLevel(String type) {
        return SHIPPED.stream()
                .filter(one -> one.isTopLevelClass() && one.getSimpleName().equals(type))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no " + type));
    }

    private static long linesOf(Set<JavaClass> types) throws IOException {
        long lines = 0;
        for (JavaClass type : types) {
            Path source = Path.of("src/main/java", type.getName().replace('.', '/') + ".java");
            lines += Files.readAllLines(
                            Files.exists(source) ? source : Path.of("../core").resolve(source))
                    .size();
        }
        return lines;
    }
}
