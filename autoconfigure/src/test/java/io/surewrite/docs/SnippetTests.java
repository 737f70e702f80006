package io.surewrite.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import io.surewrite.docs.Page.Block;
import io.surewrite.internal.cql.CassandraParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** What a reader copies from the pages compiles, parses, and names what is there. */
class SnippetTests {

    /** What these tests, or those of names, look into; and what is no code. */
    private static final Set<String> LANGUAGES = Set.of(
            "java",
            "sql",
            "yaml",
            "properties",
            "hocon",
            "xml",
            "kotlin",
            "shell",
            "mermaid",
            "text",
            "html",
            "http",
            "json",
            "");

    /** An artifact of ours, in XML or in the way of Gradle. */
    private static final Pattern ARTIFACT = Pattern.compile("(?:<artifactId>|io\\.surewrite:)(surewrite-[a-z-]+)");

    private static final Pattern BATCH = Pattern.compile("(?is)BEGIN .*?APPLY BATCH;?");

    @Test
    void javaCompiles(@TempDir Path classes) {
        List<Page> pages = Page.all();
        assertThat(pages.stream().mapToInt(page -> page.blocks("java").size()).sum())
                .isGreaterThan(35);
        assertThat(JavaBlocks.problemsOf(pages, classes)).isEmpty();
    }

    @Test
    void javaThatDoesNotCompileIsNoticed(@TempDir Path classes) {
        assertThat(JavaBlocks.problemsOf(
                        List.of(
                                planted(
                                        "java",
                                        "@Idempotent(retries = 3)\ninterface Users extends CassandraRepository<String, UUID> {}"),
                                planted("java", "long token = locks.acquire(\"import\").fence();"),
                                planted("java", "users.save(user"),
                                planted("java", "import io.surewrite.retry.Gone;\n\npublic class Uses {}")),
                        classes))
                .hasSizeGreaterThanOrEqualTo(4)
                .anyMatch(problem -> problem.startsWith("docs/planted.md:4: ") && problem.contains("retries()"))
                .anyMatch(problem -> problem.contains("Gone"));
    }

    @Test
    void cassandrasOwnParserAcceptsTheCql() throws IOException {
        List<Block> blocks = blocks("sql");
        assertThat(blocks.size()).isGreaterThan(6);
        try (CassandraParser parser = new CassandraParser("5.0.9")) {
            assertThat(refused(blocks, parser)).isEmpty();
            assertThat(refused(
                            planted("sql", "SELECT 1;\nINSERT INTO note (id) VALUE (?);")
                                    .blocks("sql"),
                            parser))
                    .hasSize(2);
        }
    }

    /** Statements that are no CQL. What is in brackets may be left out, and dots stand for what others know. */
    private static List<String> refused(List<Block> blocks, CassandraParser parser) {
        List<String> refused = new ArrayList<>();
        for (Block block : blocks) {
            String cql = block.text()
                    .replaceAll("--.*", "")
                    .replaceAll("\\[(.*?)]", "$1")
                    .replace("${table}", "surewrite_lease")
                    .replace("WITH …", "");
            List<String> statements = new ArrayList<>();
            BATCH.matcher(cql).results().forEach(batch -> statements.add(batch.group()));
            Collections.addAll(statements, BATCH.matcher(cql).replaceAll("").split(";", -1));
            for (String statement : statements) {
                if (!statement.isBlank() && !parser.accepts(statement.strip())) {
                    refused.add(block.place() + ": " + statement.strip());
                }
            }
        }
        return refused;
    }

    @Test
    void configurationNamesPropertiesThatAreThere() {
        Set<String> known = properties();
        assertThat(known).hasSizeGreaterThan(500);
        List<Block> blocks = blocks("yaml", "properties");
        assertThat(blocks.size()).isGreaterThan(5);
        assertThat(unknownProperties(blocks, known)).isEmpty();
        assertThat(unknownProperties(
                        planted("yaml", "surewrite:\n  lease:\n    time: 3s\nspring.cassandra.keyspace: shop")
                                .blocks("yaml"),
                        known))
                .hasSize(2);
    }

    private static List<String> unknownProperties(List<Block> blocks, Set<String> known) {
        List<String> unknown = new ArrayList<>();
        for (Block block : blocks) {
            PropertySourceLoader loader = block.language().equals("yaml")
                    ? new YamlPropertySourceLoader()
                    : new PropertiesPropertySourceLoader();
            try {
                for (PropertySource<?> source : loader.load(
                        block.place(), new ByteArrayResource(block.text().getBytes(StandardCharsets.UTF_8)))) {
                    for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
                        String plain = name.replaceAll("\\[\\d+]", "");
                        if ((plain.startsWith("surewrite.") || plain.startsWith("spring.")) && !known.contains(plain)) {
                            unknown.add(block.place() + ": " + name);
                        }
                    }
                }
            } catch (IOException | RuntimeException broken) {
                unknown.add(block.place() + ": " + broken.getMessage());
            }
        }
        return unknown;
    }

    @Test
    void theDriversConfigurationParses() {
        assertThat(blocks("hocon").stream().map(Block::text))
                .isNotEmpty()
                .allSatisfy(text ->
                        assertThat(ConfigFactory.parseString(text).isEmpty()).isFalse());
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigFactory.parseString("datastax-java-driver.basic.request.timeout = \"8"));
    }

    @Test
    void dependenciesAreModules() throws IOException {
        Set<String> modules = ARTIFACT.matcher(Files.readString(Path.of("../bom/pom.xml")))
                .results()
                .map(it -> it.group(1))
                .collect(Collectors.toSet());
        List<Block> blocks = blocks("xml", "kotlin");
        assertThat(blocks.size()).isGreaterThan(3);
        assertThat(unknownModules(blocks, modules)).isEmpty();
        String gone = "<dependency><groupId>io.surewrite</groupId><artifactId>surewrite-gone</artifactId></dependency>";
        assertThat(unknownModules(planted("xml", gone).blocks("xml"), modules)).hasSize(1);
        assertThat(unknownModules(planted("xml", "<dependency>").blocks("xml"), modules))
                .hasSize(1);
        assertThat(unknownModules(
                        planted("kotlin", "implementation(\"io.surewrite:surewrite-gone\")")
                                .blocks("kotlin"),
                        modules))
                .hasSize(1);
    }

    private static List<String> unknownModules(List<Block> blocks, Set<String> modules) {
        List<String> unknown = new ArrayList<>();
        for (Block block : blocks) {
            ARTIFACT.matcher(block.text())
                    .results()
                    .map(it -> it.group(1))
                    .filter(name -> !modules.contains(name))
                    .forEach(name -> unknown.add(block.place() + ": " + name));
            if (block.language().equals("xml") && !isWellFormed(block.text())) {
                unknown.add(block.place() + ": not well formed");
            }
        }
        return unknown;
    }

    private static boolean isWellFormed(String elements) {
        try {
            DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader("<all>" + elements + "</all>")));
            return true;
        } catch (SAXException broken) {
            return false;
        } catch (IOException | ParserConfigurationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Test
    void eachBlockIsInALanguageThatIsLookedInto() {
        assertThat(Page.all().stream().flatMap(SnippetTests::notLookedInto)).isEmpty();
        assertThat(notLookedInto(planted("groovy", "runtimeOnly 'io.surewrite:surewrite-gone'")))
                .containsExactly("docs/planted.md:4: groovy");
    }

    private static Stream<String> notLookedInto(Page page) {
        return page.allBlocks().stream()
                .filter(block -> !LANGUAGES.contains(block.language()))
                .map(block -> block.place() + ": " + block.language());
    }

    /** {@return all properties that the libraries here describe} */
    @SuppressWarnings("unchecked")
    private static Set<String> properties() {
        Set<String> names = new TreeSet<>();
        try {
            for (URL file : Collections.list(
                    SnippetTests.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
                try (InputStream in = file.openStream()) {
                    Map<String, Object> metadata = JsonParserFactory.getJsonParser()
                            .parseMap(new String(in.readAllBytes(), StandardCharsets.UTF_8));
                    ((List<Map<String, Object>>) metadata.get("properties"))
                            .forEach(property -> names.add((String) property.get("name")));
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return names;
    }

    private static List<Block> blocks(String... languages) {
        return Page.all().stream()
                .flatMap(page -> page.blocks(languages).stream())
                .toList();
    }

    private static Page planted(String language, String text) {
        return new Page("docs/planted.md", "A mistake:\n\n```" + language + "\n" + text + "\n```\n");
    }
}
