package io.surewrite.verification.docs;

import static io.surewrite.verification.docs.Tree.ROOT;
import static io.surewrite.verification.docs.Tree.SOURCES;
import static io.surewrite.verification.docs.Tree.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page of promises is what a change is held against: each has a test in {@code mvn verify}, or says that it has none, and names what is
 * there.
 */
class PromisesTests {

    /** Of a table: an id, the promise, its tests, and maybe the planted bugs. */
    private static final Pattern PROMISE =
            Pattern.compile("(?m)^\\| ([A-Z]\\d*[a-z]?) \\| [^|]+ \\| ([^|]+) \\|(?: ([^|]*)\\|)?$");

    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern BUG = Pattern.compile("`([A-Z_]+)`");

    /** The annotations of a method may stand on several lines. */
    private static final Pattern METHOD = Pattern.compile(
            "(?:@(?:LongLane|Nightly)\\b[^\n]*\n +)?@(?:Parameterized|Repeated)?Test\\b.*?\\bvoid (\\w+)\\(",
            Pattern.DOTALL);

    /** What mvn verify leaves out. */
    private static final Pattern LATER = Pattern.compile("(?m)@(?:LongLane|Nightly)$|@(?:LongLane|Nightly) //");

    private static final Pattern LATER_CLASS = Pattern.compile("(?m)^@(?:LongLane|Nightly)\\b");

    private static final Pattern CONSTANT = Pattern.compile("(?m)^ +([A-Z][A-Z_]+)(?:\\([^()]*\\))?(?: \\{|,|;)?$");

    /** Where bugs are planted: each has a constant that is none. */
    private static final Pattern PLANTED = Pattern.compile("(?m)^ +NOTHING(?:\\(\\))?,$|enum ClockFault");

    /** The tests of each class. */
    private static final Map<String, Set<String>> TESTS = new HashMap<>();

    /** Those that {@code mvn verify} leaves to the other lanes, as {@code Class#method}. */
    private static final Set<String> LATER_TESTS = new HashSet<>();

    /** By the package that they are in. */
    private static final Map<String, Set<String>> BUGS = new HashMap<>();

    @BeforeAll
    static void readTheTests() {
        SOURCES.forEach((file, source) -> {
            if (file.toString().contains("/src/test/java/")) {
                learn(Tree.type(file), source);
                if (PLANTED.matcher(source).find()) {
                    Set<String> ofPackage =
                            BUGS.computeIfAbsent(file.getParent().getFileName().toString(), first -> new HashSet<>());
                    CONSTANT.matcher(source).results().map(it -> it.group(1)).forEach(ofPackage::add);
                    ofPackage.remove("NOTHING");
                }
            }
        });
        assertThat(TESTS).hasSizeGreaterThan(200);
    }

    private static void learn(String type, String source) {
        boolean later = LATER_CLASS.matcher(source).find();
        METHOD.matcher(source).results().forEach(method -> {
            TESTS.computeIfAbsent(type, first -> new HashSet<>()).add(method.group(1));
            if (later || LATER.matcher(method.group()).find()) {
                LATER_TESTS.add(type + "#" + method.group(1));
            }
        });
    }

    @Test
    void eachNamesTestsAndBugsThatAreThere() {
        String page = read(ROOT.resolve("docs/promises.md"));
        List<MatchResult> promises = PROMISE.matcher(page).results().toList();
        assertThat(promises).hasSize((int) page.lines()
                .filter(line -> line.matches("\\| [A-Z]\\d*[a-z]? \\|.*"))
                .count());
        assertThat(promises)
                .hasSizeGreaterThan(100)
                .extracting(promise -> promise.group(1))
                .doesNotHaveDuplicates();
        assertThat(wrong(page)).isEmpty();
    }

    /** Who reads a longer one forgets its beginning. */
    @Test
    void namesOfTestsHaveAtMostSixtyCharacters() {
        assertThat(TESTS.values().stream().flatMap(Set::stream)).allMatch(name -> name.length() <= 60);
    }

    @Test
    void whatIsNotThereIsNoticed() {
        assertThat(wrong("""
                | A1 | a promise | `PublicApiTests#isWhatTheListSays`, *none* | `NO_FENCE` |
                | A2 | another test | `PublicApiTests#wrong` | |
                | A3 | another bug | `PublicApiTests#isWhatTheListSays` | `NO_FENCES` |
                | A4 | without a test | later |
                | A5 | which is said | *none* |
                | A6 | in the long lane alone | `ContentionIntegrationTests#theStartersSessionLosesNone` |
                | A7 | of a method there | `StartReportIntegrationTests#namesTheDatacentersToChooseFrom` |
                """))
                .containsExactly(
                        "A2: PublicApiTests#wrong",
                        "A3: NO_FENCES",
                        "A4: no test",
                        "A6: no test in mvn verify",
                        "A7: no test in mvn verify");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lease", "unique"})
    void theProtocolNamesEveryPlantedBug(String feature) {
        String page = read(ROOT.resolve("docs/protocols/%s.md".formatted(feature)));
        Set<String> planted = BUGS.get(feature);
        assertThat(planted).hasSizeGreaterThan(10);
        assertThat(unnamed(planted, page)).isEmpty();
        String forgotten = planted.iterator().next();
        assertThat(unnamed(planted, page.replace("`" + forgotten + "`", ""))).containsExactly(forgotten);
    }

    private static List<String> unnamed(Set<String> planted, String page) {
        return planted.stream().filter(bug -> !page.contains("`" + bug + "`")).toList();
    }

    private static List<String> wrong(String page) {
        List<String> wrong = new ArrayList<>();
        PROMISE.matcher(page).results().forEach(promise -> {
            String id = promise.group(1);
            List<MatchResult> tests = TEST.matcher(promise.group(2)).results().toList();
            tests.stream()
                    .filter(test -> !TESTS.getOrDefault(test.group(1), Set.of()).contains(test.group(2)))
                    .forEach(test -> wrong.add(id + ": " + test.group(1) + "#" + test.group(2)));
            String bugs = promise.group(3) == null ? "" : promise.group(3);
            BUG.matcher(bugs)
                    .results()
                    .map(bug -> bug.group(1))
                    .filter(bug -> BUGS.values().stream().noneMatch(all -> all.contains(bug)))
                    .forEach(bug -> wrong.add(id + ": " + bug));
            if (tests.isEmpty() && !promise.group(2).equals("*none*")) {
                wrong.add(id + ": no test");
            }
            if (!tests.isEmpty()
                    && tests.stream().allMatch(test -> LATER_TESTS.contains(test.group(1) + "#" + test.group(2)))) {
                wrong.add(id + ": no test in mvn verify");
            }
        });
        return wrong;
    }
}
