package io.surewrite.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links lead somewhere, and what the pages for contributors name is there. */
class DocumentationTests {

    private static final Path ROOT = Path.of("..");

    private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```");

    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|mailto:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    /** A type, and maybe one of its methods. */
    private static final Pattern NAME = Pattern.compile(
            "`@?((?:[A-Z][A-Za-z]*[a-z][A-Za-z]*\\.)*([A-Z][A-Za-z]*[a-z][A-Za-z]*))(?:#([a-z]\\w*))?`");

    private static final Pattern WORD = Pattern.compile("\\b[A-Z]\\w*[a-z]\\w*");

    /** Each enum of planted bugs has one that is none. */
    private static final Pattern HARMLESS = Pattern.compile("(?m)^ +NOTHING(?:\\(\\))?,$");

    private static final Pattern CONSTANT = Pattern.compile("(?m)^ +([A-Z][A-Z_]+)(?:\\([^()]*\\))?(?: \\{|,|;)?$");

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

    /** Each source by the name of its file. */
    private static final Map<String, List<String>> SOURCES = new HashMap<>();

    /** The names of types that the sources have; and of this one, and of what pages say of others' software. */
    private static final Set<String> NAMES = new HashSet<>(Set.of(
            "ContextPropagatingTaskDecorator",
            "CqlRequestSyncProcessor",
            "DeleteOptions",
            "DocumentationTests",
            "EntityCallback",
            "HealthContributor",
            "HttpOnly",
            "InstantiationAwareBeanPostProcessor",
            "KeepAliveLockProvider",
            "MockitoBean",
            "LockExtender",
            "RFencedLock",
            "Retryable",
            "SchedulerLock",
            "SmartInstantiationAwareBeanPostProcessor"));

    @BeforeAll
    static void readTheSources() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path sources : modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .toList()) {
                for (Path file : files(sources, ".java")) {
                    // What stands here proves nothing.
                    if (!file.endsWith("DocumentationTests.java")) {
                        String name = file.getFileName().toString().replace(".java", "");
                        SOURCES.computeIfAbsent(name, unused -> new ArrayList<>())
                                .add(readNames(file));
                    }
                }
                for (Path file : files(sources, ".kt")) {
                    readNames(file);
                }
            }
        }
        assertThat(SOURCES).hasSizeGreaterThan(500);
    }

    private static String readNames(Path file) throws IOException {
        String source = Files.readString(file);
        WORD.matcher(source).results().map(MatchResult::group).forEach(NAMES::add);
        return source;
    }

    @Test
    void linksLeadToWhatIsThere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            broken.addAll(broken(page, Files.readString(page)));
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
    void aPageIsShortAndItsLinesAre() throws IOException {
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
    void pagesNameOnlyWhatIsThere() throws IOException {
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
        return SOURCES.getOrDefault(file, List.of()).stream()
                .anyMatch(source -> declared.matcher(source).find()
                        && called.matcher(source).find());
    }

    @ParameterizedTest
    @ValueSource(strings = {"lease", "unique"})
    void theProtocolNamesEveryPlantedBug(String feature) throws IOException {
        String page = read(ROOT.resolve("docs").resolve("protocols").resolve(feature + ".md"));
        Set<String> planted = new HashSet<>();
        for (Map.Entry<String, List<String>> sources : SOURCES.entrySet()) {
            for (String source : sources.getValue()) {
                if (source.startsWith("package io.surewrite." + feature)
                        && HARMLESS.matcher(source).find()) {
                    CONSTANT.matcher(source).results().map(it -> it.group(1)).forEach(planted::add);
                }
            }
        }
        planted.remove("NOTHING");
        assertThat(planted).hasSizeGreaterThan(10);
        assertThat(unnamed(planted, page)).isEmpty();
        String forgotten = planted.iterator().next();
        assertThat(unnamed(planted, page.replace("`" + forgotten + "`", ""))).containsExactly(forgotten);
    }

    private static List<String> unnamed(Set<String> planted, String page) {
        return planted.stream().filter(bug -> !page.contains("`" + bug + "`")).toList();
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
        try (Stream<Path> here = Files.list(ROOT)) {
            here.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    static List<Path> files(Path directory, String ending) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
