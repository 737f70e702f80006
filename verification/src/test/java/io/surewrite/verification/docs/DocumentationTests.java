package io.surewrite.verification.docs;

import static io.surewrite.verification.docs.Tree.ROOT;
import static io.surewrite.verification.docs.Tree.SOURCES;
import static io.surewrite.verification.docs.Tree.pages;
import static io.surewrite.verification.docs.Tree.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Links lead somewhere, and what the pages for contributors name is there. */
class DocumentationTests {

    private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```");

    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|mailto:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    /** A type, and maybe one of its methods. */
    private static final Pattern NAME = Pattern.compile(
            "`@?((?:[A-Z][A-Za-z]*[a-z][A-Za-z]*\\.)*([A-Z][A-Za-z]*[a-z][A-Za-z]*))(?:#([a-z]\\w*))?`");

    private static final Pattern WORD = Pattern.compile("\\b[A-Z]\\w*[a-z]\\w*");

    /** More than this is read by nobody at one time. */
    private static final int LINES = 150;

    private static final int COLUMNS = 180;

    /** A row of theirs names all tests of a promise, or all that differs. */
    private static final Set<String> WIDE = Set.of("docs/promises.md", "docs/before.md", "docs/performance.md");

    /** What is looked up and not read through: an entry an exception, a row a promise, a step a paragraph. */
    private static final Map<String, Integer> LONGER = Map.of(
            "docs/troubleshooting.md", 200,
            "docs/promises.md", 210,
            "docs/protocols/lease.md", 185,
            "docs/protocols/unique.md", 275);

    /** The names of types that the sources have; and of ours here, and of what pages say of others' software. */
    private static final Set<String> NAMES = new HashSet<>(Set.of(
            "ContextPropagatingTaskDecorator",
            "CqlRequestSyncProcessor",
            "DeleteOptions",
            "DestructionAwareBeanPostProcessor",
            "EntityCallback",
            "HealthContributor",
            "HttpOnly",
            "InstantiationAwareBeanPostProcessor",
            "KeepAliveLockProvider",
            "MockitoBean",
            "PromisesTests",
            "LockExtender",
            "RFencedLock",
            "Retryable",
            "SchedulerLock",
            "SmartInstantiationAwareBeanPostProcessor"));

    @BeforeAll
    static void readTheSources() {
        assertThat(SOURCES).hasSizeGreaterThan(500);
        SOURCES.values()
                .forEach(source ->
                        WORD.matcher(source).results().map(MatchResult::group).forEach(NAMES::add));
    }

    @Test
    void linksLeadToWhatIsThere() {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            broken.addAll(broken(page, read(page)));
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void aLinkThatLeadsNowhereIsNoticed() {
        String planted = "[a](leases.md#costs), [b](leasez.md), [c](leases.md#coasts), [d](#here)\n# Here";
        assertThat(broken(ROOT.resolve("docs/retry.md"), planted))
                .extracting(link -> link.substring(link.indexOf('(')))
                .containsExactly("(leasez.md)", "(leases.md#coasts)", "(#here)");
    }

    @Test
    void aPageIsShortAndItsLinesAre() {
        List<String> tooLong = new ArrayList<>();
        for (Path page : pages()) {
            tooLong.addAll(tooLong(ROOT.relativize(page).toString(), read(page)));
        }
        assertThat(tooLong).isEmpty();
        assertThat(tooLong("docs/planted.md", "word\n".repeat(151))).hasSize(1);
        assertThat(tooLong("docs/planted.md", "word ".repeat(37))).hasSize(1);
    }

    private static List<String> tooLong(String page, String text) {
        List<String> found = new ArrayList<>();
        long lines = text.lines().count();
        if (lines > LONGER.getOrDefault(page, LINES)) {
            found.add(page + ": " + lines + " lines");
        }
        if (!WIDE.contains(page)) {
            FENCE.matcher(text)
                    .replaceAll("") // what a program prints is as long as it is
                    .lines()
                    .filter(line -> line.length() > COLUMNS)
                    .forEach(line -> found.add(page + ": " + line));
        }
        return found;
    }

    /** Links whose target is not there; the page's own headings are those of the file. */
    private static List<String> broken(Path page, String text) {
        return LINK.matcher(FENCE.matcher(text).replaceAll(""))
                .results()
                .filter(link -> {
                    Path target = link.group(1).isEmpty()
                            ? page
                            : page.resolveSibling(link.group(1)).normalize();
                    return !Files.exists(target) || !hasHeading(target, link.group(2));
                })
                .map(link -> page + ": " + link.group())
                .toList();
    }

    private static boolean hasHeading(Path page, String anchor) {
        return anchor == null
                || !page.toString().endsWith(".md")
                || HEADING.matcher(FENCE.matcher(read(page)).replaceAll(""))
                        .results()
                        .anyMatch(heading -> anchor.equals(anchorOf(heading.group(1))));
    }

    /** As GitHub makes it. */
    private static String anchorOf(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    @Test
    void pagesNameOnlyWhatIsThere() {
        List<String> gone = new ArrayList<>();
        for (Path page : pages()) {
            if (!page.endsWith("CHANGELOG.md")) { // which tells what was
                goneFrom(read(page)).forEach(name -> gone.add(page + ": " + name));
            }
        }
        assertThat(gone).isEmpty();
    }

    @Test
    void aNameThatIsGoneIsNoticed() {
        assertThat(goneFrom("`LeaseLockz` and `Lease#token`, `Lease#tokenz`, `LeaseLocks`"))
                .containsExactly("`LeaseLockz`", "`Lease#tokenz`");
    }

    private static List<String> goneFrom(String text) {
        return NAME.matcher(text)
                .results()
                .filter(name -> !isThere(name.group(1), name.group(2), name.group(3)))
                .map(MatchResult::group)
                .toList();
    }

    private static boolean isThere(String path, String type, String method) {
        if (method == null) {
            return NAMES.contains(type);
        }
        String file = path.contains(".") ? path.substring(0, path.indexOf('.')) : type;
        Pattern declared = Pattern.compile("\\b(?:class|record|interface|enum) " + type + "\\b");
        Pattern called = Pattern.compile("\\b" + method + "\\(");
        return SOURCES.entrySet().stream()
                .anyMatch(source -> Tree.type(source.getKey()).equals(file)
                        && declared.matcher(source.getValue()).find()
                        && called.matcher(source.getValue()).find());
    }
}
