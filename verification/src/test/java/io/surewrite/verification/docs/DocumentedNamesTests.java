package io.surewrite.verification.docs;

import static io.surewrite.verification.docs.Tree.ROOT;
import static io.surewrite.verification.docs.Tree.SOURCES;
import static io.surewrite.verification.docs.Tree.pagesOfToday;
import static io.surewrite.verification.docs.Tree.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Properties, meters, profiles, modules and exceptions: what the pages name is there, and what a reader looks for is named. */
class DocumentedNamesTests {

    /** A name with dots; of a package or an address it is only a part. */
    private static final Pattern NAME =
            Pattern.compile("(?:(?<=-D)|(?<![\\w./@-]))surewrite(?:\\.[a-z][a-z0-9]*(?:-[a-z0-9]+)*)+(?![\\w]*/)");

    /** The end of a property's name, in a row of such a table. */
    private static final Pattern CELL = Pattern.compile("`([a-z][a-z0-9.-]*?)(?:\\.\\*|[=:][^`]*)?`");

    /** The head of a table whose first column goes on after it. */
    private static final Pattern TABLE = Pattern.compile("^\\|[^|]*`(surewrite\\.[a-z.-]*)\\.`");

    private static final Pattern PROFILE = Pattern.compile("(?<![\\w-])-P([a-z][a-z,-]*)");

    private static final Pattern PROFILE_ID =
            Pattern.compile("<profile>\\s*(?:<!--.*?-->\\s*)*<id>([^<]+)</id>", Pattern.DOTALL);

    private static final Pattern PROJECTS = Pattern.compile("-pl ([a-z][a-z,-]*)");

    /** The whole name, or its beginning. */
    private static final Pattern LITERAL = Pattern.compile("\"(surewrite\\.[a-z0-9.-]*)\"( \\+ [a-z])?");

    /** What may follow on a beginning, somewhere in the same file. */
    private static final Pattern REST = Pattern.compile("\"(\\.?[a-z][a-z0-9.-]*|)\"");

    private static final Pattern METER = Pattern.compile("(?m)^\\| `(surewrite[^`]+)` \\|");

    private static final Pattern DESCRIBED = Pattern.compile("\"name\": \"(surewrite\\.[^\"]+)\"");

    private static final Pattern MAVEN_PROPERTY = Pattern.compile("<(surewrite\\.[a-z.-]+)>");

    private static final Pattern EXCEPTION = Pattern.compile("(?m)^io\\.surewrite\\..*\\.(\\w+Exception)$");

    private static final Pattern ENTRY = Pattern.compile("(?m)^### (.+)$");

    private static final Pattern LED_TO = Pattern.compile("(?:(?<![.\\w])entry\\(\"|troubleshooting\\.md#)([a-z-]+)\"");

    private static final Pattern LED_TO_PAGE = Pattern.compile(
            "new InvalidConfigurationException\\((?:(?!new InvalidConfigurationException).){0,1500}?\\s\"([a-z-]+)\"\\);",
            Pattern.DOTALL);

    /** Properties by Spring Boot's description, system properties and meters by the literals of the sources. */
    private static final Set<String> KNOWN = new TreeSet<>();

    private static final Set<String> PROPERTIES = new TreeSet<>();

    private static final StringBuilder MAIN = new StringBuilder();

    @BeforeAll
    static void readTheSources() throws Exception {
        Path compiled = Path.of("")
                .toAbsolutePath()
                .relativize(Path.of(DocumentedNamesTests.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI()))
                .resolveSibling("classes");
        Tree.poms().forEach(pom -> {
            MAVEN_PROPERTY.matcher(read(pom)).results().map(it -> it.group(1)).forEach(KNOWN::add);
            Path metadata = pom.resolveSibling(compiled).resolve("META-INF/spring-configuration-metadata.json");
            if (Files.exists(metadata)) {
                String all = read(metadata); // groups and hints, too
                String properties = all.substring(all.indexOf("\"properties\""));
                DESCRIBED.matcher(all).results().map(it -> it.group(1)).forEach(KNOWN::add);
                DESCRIBED.matcher(properties).results().map(it -> it.group(1)).forEach(PROPERTIES::add);
            }
        });
        SOURCES.forEach((file, source) -> learn(source, file.toString().contains("/src/main/")));
        // Its table is compared with what is registered.
        METER.matcher(read(ROOT.resolve("docs/meters.md")))
                .results()
                .map(it -> it.group(1))
                .forEach(KNOWN::add);
        assertThat(PROPERTIES).hasSizeGreaterThan(40);
    }

    private static void learn(String source, boolean main) {
        LITERAL.matcher(source).results().forEach(literal -> {
            if (literal.group(2) == null) {
                KNOWN.add(literal.group(1));
            } else {
                REST.matcher(source).results().forEach(rest -> KNOWN.add(literal.group(1) + rest.group(1)));
            }
        });
        if (main) {
            // Without comments, and as one text: literals that are put together, and the lines of text blocks.
            MAIN.append(source.replaceAll("(?s)/\\*.*?\\*/", "")
                    .replaceAll("(?m)^ *//.*$", "")
                    .replaceAll("\"\\s*\\+\\s*\"", "")
                    .replaceAll("\\\\\n\\s*", ""));
        }
    }

    @Test
    void propertiesAndMetersAreThere() {
        Set<String> named = new HashSet<>();
        List<String> gone = new ArrayList<>();
        for (Path page : pagesOfToday()) {
            gone.addAll(goneFrom(page.toString(), read(page), named));
        }
        assertThat(gone).isEmpty();
        assertThat(unnamed(named)).as("properties that no page names").isEmpty();
        named.remove("surewrite.lease.ttl");
        assertThat(unnamed(named)).containsExactly("surewrite.lease.ttl");
    }

    private static List<String> unnamed(Set<String> named) {
        return PROPERTIES.stream()
                .filter(property -> !property.startsWith("surewrite.embedded.settings"))
                .filter(property -> !named.contains(property))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Set `surewrite.lease.time=3s`.",
                "| property `surewrite.lease.` | default |@|---|---|@| `time` | |",
                "Run with -Dsurewrite.seeds=3."
            })
    void aNameThatIsGoneIsNoticed(String text) {
        assertThat(goneFrom("planted", text.replace('@', '\n'), new HashSet<>()))
                .hasSize(1);
    }

    /** Names that nothing has; those that something has are added to {@code named}. */
    private static List<String> goneFrom(String page, String text, Set<String> named) {
        List<String> gone = new ArrayList<>();
        String table = null;
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            Matcher head = TABLE.matcher(line);
            if (head.find()) {
                table = head.group(1);
            } else if (!line.startsWith("|")) {
                table = null;
            }
            Stream<String> inRow = Stream.of();
            if (table != null && !line.contains("`surewrite.")) {
                String prefix = table + ".";
                inRow = CELL.matcher(line.split("\\|", -1)[1]).results().map(cell -> prefix + cell.group(1));
            }
            String place = page + ":" + number + ": ";
            Stream.concat(inRow, NAME.matcher(line).results().map(MatchResult::group))
                    .filter(name -> !name.equals("surewrite.version")) // a property of the reader's own
                    .forEach(name -> {
                        if (isThere(name)) {
                            named.add(name);
                        } else {
                            gone.add(place + name);
                        }
                    });
        }
        return gone;
    }

    private static boolean isThere(String name) {
        return KNOWN.contains(name)
                || name.startsWith("surewrite.embedded.settings.")
                || KNOWN.stream().anyMatch(known -> known.startsWith(name + "."));
    }

    @Test
    void profilesAndModulesAreThere() {
        List<String> gone = new ArrayList<>();
        pagesOfToday().forEach(page -> gone.addAll(goneCommands(read(page))));
        assertThat(gone).isEmpty();
        assertThat(goneCommands("mvn -pl verification,gone -am -Pbenchmark-gone package"))
                .containsExactly("-Pbenchmark-gone", "-pl gone");
    }

    private static List<String> goneCommands(String text) {
        Set<String> profiles = Tree.poms()
                .flatMap(pom -> PROFILE_ID.matcher(read(pom)).results())
                .map(profile -> profile.group(1))
                .collect(Collectors.toSet());
        return Stream.concat(
                        named(PROFILE, text)
                                .filter(profile -> !profiles.contains(profile))
                                .map(profile -> "-P" + profile),
                        named(PROJECTS, text)
                                .filter(module ->
                                        !Files.exists(ROOT.resolve(module).resolve("pom.xml")))
                                .map(module -> "-pl " + module))
                .toList();
    }

    private static Stream<String> named(Pattern option, String text) {
        return option.matcher(text)
                .results()
                .flatMap(it -> Stream.of(it.group(1).split(",", -1)));
    }

    @Test
    void troubleshootingHasEveryException() {
        Set<String> exceptions = EXCEPTION
                .matcher(read(ROOT.resolve("docs/api.txt")))
                .results()
                .map(it -> it.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        exceptions.add("EmbeddedCassandraException");
        assertThat(exceptions).hasSizeGreaterThan(20);
        String page = troubleshooting();
        assertThat(missingEntries(exceptions, page)).isEmpty();
        assertThat(missingEntries(exceptions, page.replace("### SupersededException", "### SupercededException")))
                .containsExactly("SupersededException");
    }

    private static List<String> missingEntries(Set<String> exceptions, String page) {
        Set<String> entries =
                ENTRY.matcher(page).results().map(it -> it.group(1)).collect(Collectors.toSet());
        return exceptions.stream().filter(name -> !entries.contains(name)).toList();
    }

    /** A refusal of a start leads to a page. */
    @Test
    void refusalsLeadToPagesThatAreThere() {
        Set<String> pages = LED_TO_PAGE
                .matcher(MAIN)
                .results()
                .map(it -> it.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(pages).hasSizeGreaterThan(6).contains("unique", "idempotence");
        assertThat(pages).allMatch(page -> Files.exists(ROOT.resolve("docs").resolve(page + ".md")));
    }

    /** What a report says last. The entries of exceptions are made of their names, which the tests above look for. */
    @Test
    void reportsLeadToEntriesThatAreThere() {
        Set<String> wanted =
                LED_TO.matcher(MAIN).results().map(it -> it.group(1)).collect(Collectors.toCollection(TreeSet::new));
        assertThat(wanted).hasSizeGreaterThan(4).contains("embeddedcassandraexception");
        String page = troubleshooting();
        assertThat(missingAnchors(wanted, page)).isEmpty();
        assertThat(missingAnchors(wanted, page.replace("### No Cassandra answers", "### No Cassandra answered")))
                .containsExactly("no-cassandra-answers");
    }

    private static List<String> missingAnchors(Set<String> wanted, String page) {
        Set<String> anchors = ENTRY.matcher(page)
                .results()
                .map(it -> it.group(1).toLowerCase(Locale.ROOT).replace(' ', '-'))
                .collect(Collectors.toSet());
        return wanted.stream().filter(name -> !anchors.contains(name)).toList();
    }

    @Test
    void theBomHasEveryModuleThatShips() {
        String bom = read(ROOT.resolve("bom/pom.xml"));
        Set<String> shipped = Tree.poms()
                .map(Tree::read)
                .filter(pom -> pom.contains("<artifactId>surewrite-parent</artifactId>\n        <version>")
                        && !pom.contains("<maven.deploy.skip>true"))
                .map(pom -> first("/parent>[\\s\\S]*?<artifactId", pom))
                .collect(Collectors.toSet());
        assertThat(shipped).hasSizeGreaterThan(3);
        assertThat(Pattern.compile("<dependency>.*?<artifactId>([^<]+)<", Pattern.DOTALL)
                        .matcher(bom)
                        .results()
                        .map(it -> it.group(1)))
                .containsExactlyInAnyOrderElementsOf(shipped);
        // It has no parent to take these from.
        String parent = read(ROOT.resolve("pom.xml"));
        for (String shared : List.of(
                "version",
                "project.build.outputTimestamp",
                "artifactId>maven-install-plugin</artifactId>\\s*<version",
                "artifactId>maven-deploy-plugin</artifactId>\\s*<version")) {
            assertThat(first(shared, bom)).isEqualTo(first(shared, parent));
        }
    }

    private static String first(String element, String xml) {
        Matcher found = Pattern.compile("<" + element + ">([^<]+)<").matcher(xml);
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    private static String troubleshooting() {
        return read(ROOT.resolve("docs/troubleshooting.md"));
    }
}
