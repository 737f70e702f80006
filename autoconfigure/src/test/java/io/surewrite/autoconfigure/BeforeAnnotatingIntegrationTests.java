package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.testsupport.ContextCounter;
import io.surewrite.testsupport.LongLane;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.Advised;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.cassandra.autoconfigure.CqlSessionBuilderCustomizer;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraAutoConfiguration;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.util.ClassUtils;

/**
 * What the starter changes in an application that annotates nothing, found by comparing it with one that has no starter. After a change
 * that is meant, {@code mvn -q -pl autoconfigure -am -Dtest=BeforeAnnotatingIntegrationTests -Dsurewrite.before.write=true test} writes the
 * table of the page anew.
 */
class BeforeAnnotatingIntegrationTests extends CassandraTest {

    private static final Path PAGE = Path.of("..", "docs", "before.md");
    private static final String HEAD = "| what | without the starter | with it | left out by |";
    private static final Path API = Path.of("..", "docs", "api.txt");
    private static final String NONE = "none";
    private static final String ALL = "surewrite.enabled=false";

    /** Parts of a driver's context that differ between any two sessions. */
    private static final Set<String> OF_EACH = Set.of("getSessionName", "getStartupOptions");

    /** Annotations by which beans are found, too. */
    private static final Set<String> MARKS = Set.of("ControllerAdvice", "RestControllerAdvice", "Endpoint");

    /** What leaves a part out. */
    private static final List<String> SWITCHES = List.of(
            "surewrite.session.mode=off",
            "surewrite.clock.enabled=false",
            "surewrite.lease.enabled=false",
            "surewrite.unique.enabled=false",
            "surewrite.retry.enabled=false",
            "surewrite.web.problem-details=false",
            "management.health.clock.enabled=false",
            "management.health.leases.enabled=false",
            "management.health.sure-tables.enabled=false",
            "management.health.unique-values.enabled=false");

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE before_note (id uuid PRIMARY KEY, text text)");
    }

    @Test
    void isTheTableOfThePage() throws IOException {
        List<String> table = table();
        List<String> page = new ArrayList<>(Files.readAllLines(PAGE));
        int begin = page.indexOf(HEAD);
        assertThat(begin).as("the head of the table in " + PAGE).isNotNegative();
        int end = begin;
        while (end < page.size() && page.get(end).startsWith("|")) {
            end++;
        }
        if (Boolean.getBoolean("surewrite.before.write")) {
            page.subList(begin, end).clear();
            page.addAll(begin, table);
            Files.write(PAGE, page);
            end = begin + table.size();
        }
        assertThat(page.subList(begin, end))
                .as(
                        "what the starter changes; if the change is meant, write it anew, see BeforeAnnotatingIntegrationTests")
                .containsExactlyElementsOf(table);
    }

    @Test
    @LongLane
    void asksForTheClocksAloneInTheFirstMinute() {
        run(
                true,
                new String[0],
                (context, sent) -> await().pollDelay(Duration.ofMinutes(1))
                        .atMost(Duration.ofMinutes(2))
                        .untilAsserted(() ->
                                assertThat(sent.texts()).isEqualTo("`SELECT currentTimestamp() FROM system.local`")));
    }

    private static List<String> table() throws IOException {
        Seen plain = seen(false);
        Seen sure = seen(true);
        assertThat(seen(true, ALL).all()).as(ALL).isEqualTo(plain.all());
        Set<String> changed = new TreeSet<>(plain.all().keySet());
        changed.addAll(sure.all().keySet());
        changed.removeIf(what -> plain.is(what).equals(sure.is(what)));
        Map<String, Set<String>> leftOut = new LinkedHashMap<>();
        for (String one : SWITCHES) {
            Seen without = seen(true, one);
            Set<String> gone = new TreeSet<>(changed);
            gone.removeIf(what -> !plain.is(what).equals(without.is(what)));
            leftOut.put(one, gone);
        }
        List<String> lines = new ArrayList<>(List.of(HEAD, "|---|---|---|---|"));
        Map<String, Set<String>> added = new TreeMap<>();
        for (String what : changed) {
            String by = leftOut.entrySet().stream()
                    .filter(each -> each.getValue().contains(what))
                    .min(Comparator.comparingInt(each -> each.getValue().size()))
                    .map(Map.Entry::getKey)
                    .orElse(ALL);
            if (sure.types().containsKey(what) && plain.is(what).equals(NONE)) {
                added.computeIfAbsent(by, none -> new TreeSet<>())
                        .addAll(sure.types().get(what));
            } else {
                lines.add("| %s | %s | %s | `%s` |".formatted(what, plain.is(what), sure.is(what), by));
            }
        }
        added.values().removeIf(Set::isEmpty);
        added.forEach((by, types) -> lines.add(
                "| beans that others find by their type | | %s | `%s` |".formatted(String.join(", ", types), by)));
        return lines;
    }

    /** What was seen of one application: each thing with what it is, and the types by which others find a bean. */
    private record Seen(Map<String, String> all, Map<String, Set<String>> types) {

        String is(String what) {
            return all.getOrDefault(what, NONE);
        }
    }

    private static Seen seen(boolean starter, String... properties) throws IOException {
        Set<String> api = Set.copyOf(Files.readAllLines(API));
        Map<String, String> all = new TreeMap<>();
        Map<String, Set<String>> types = new TreeMap<>();
        run(starter, properties, (context, sent) -> {
            context.getBean(Notes.class).save(new Note(UUID.randomUUID(), "same"));
            // The driver tells of a request after its answer, of all on one connection in their order.
            await().until(() -> sent.all.stream().anyMatch(each -> each.startsWith("`INSERT")));
            all.put("what a plain save sends", sent.all.remove(sent.all.size() - 1));
            if (!sent.all.isEmpty()) {
                all.put("requests at the start, and each minute", sent.texts());
            }
            beans(context, api, all, types);
            driver(context.getBean(CqlSession.class), all);
        });
        return new Seen(all, types);
    }

    private static void run(boolean starter, String[] properties, Use use) {
        List<Class<?>> configurations = new ArrayList<>(List.of(
                CassandraAutoConfiguration.class,
                DataCassandraAutoConfiguration.class,
                DataCassandraReactiveAutoConfiguration.class));
        if (starter) {
            ClassLoader loader = CassandraTest.class.getClassLoader();
            for (String name : ImportCandidates.load(AutoConfiguration.class, loader)) {
                if (name.startsWith("io.surewrite.")) {
                    configurations.add(ClassUtils.resolveClassName(name, loader));
                }
            }
        }
        Sent sent = new Sent();
        new WebApplicationContextRunner()
                .withInitializer(new ContextCounter())
                .withConfiguration(AutoConfigurations.of(configurations.toArray(Class<?>[]::new)))
                .withPropertyValues(connection())
                .withPropertyValues("management.endpoints.web.exposure.include=*")
                .withPropertyValues(properties)
                .withUserConfiguration(Application.class)
                .withBean(Job.class)
                .withBean(CqlSessionBuilderCustomizer.class, () -> builder -> builder.addRequestTracker(sent))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    use.with((ConfigurableApplicationContext) context.getSourceApplicationContext(), sent);
                });
    }

    private interface Use {
        void with(ConfigurableApplicationContext context, Sent sent) throws Exception;
    }

    /** Each bean by its name, with its class, and what is around it. */
    private static void beans(
            ConfigurableApplicationContext context,
            Set<String> api,
            Map<String, String> all,
            Map<String, Set<String>> types) {
        for (String name : context.getBeanDefinitionNames()) {
            Object made = context.getBeanFactory().getSingleton(name);
            Class<?> type = made == null ? context.getType(name, false) : made.getClass();
            if (type == null || type.getName().contains("$$")) {
                type = Objects.requireNonNull(context.getType(name, false));
            }
            String what = "bean `%s`".formatted(name);
            all.put(what, "`%s`".formatted(type.getSimpleName()));
            types.put(
                    what,
                    Stream.concat(
                                    supertypes(type)
                                            .filter(each -> api.contains(each.getName()) || isLookedFor(each))
                                            .map(Class::getSimpleName),
                                    Arrays.stream(type.getAnnotations())
                                            .map(Annotation::annotationType)
                                            .filter(each -> MARKS.contains(each.getSimpleName()))
                                            .map(each -> "@" + each.getSimpleName()))
                            .map("`%s`"::formatted)
                            .collect(Collectors.toCollection(TreeSet::new)));
            if (made != null && context.getBean(name) instanceof Advised advised) {
                all.put(
                        "advice around `%s`".formatted(name),
                        Arrays.stream(advised.getAdvisors())
                                .map(each -> each.getAdvice().getClass().getSimpleName())
                                .toList()
                                .toString());
            }
        }
    }

    private static Stream<Class<?>> supertypes(@Nullable Class<?> type) {
        return type == null
                ? Stream.of()
                : Stream.concat(
                        Stream.of(type),
                        Stream.concat(Stream.of(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                                .flatMap(BeforeAnnotatingIntegrationTests::supertypes));
    }

    /** Neither of ours nor what only tells the container how to treat the bean itself. */
    private static boolean isLookedFor(Class<?> type) {
        return type.isInterface()
                && Stream.of("java.", "io.surewrite.", "org.aopalliance.", "org.springframework.aop.")
                        .noneMatch(type.getName()::startsWith)
                && !type.getName().matches("org[.]springframework[.](core|beans[.]factory|context)[.]\\w+");
    }

    /** Whatever a session is made of, and each option that it has. */
    private static void driver(CqlSession session, Map<String, String> all) throws ReflectiveOperationException {
        InternalDriverContext context = (InternalDriverContext) session.getContext();
        for (Class<?> type : List.of(InternalDriverContext.class, DriverContext.class)) {
            for (Method part : type.getMethods()) {
                if (part.getParameterCount() == 0
                        && part.getReturnType() != void.class
                        && !OF_EACH.contains(part.getName())) {
                    all.put("driver `%s`".formatted(part.getName()), kind(part.invoke(context)));
                }
            }
        }
        Statement<?> change = SimpleStatement.newInstance("ALTER TABLE any WITH comment = ''");
        all.put(
                "driver, what sends a change of the schema",
                kind(context.getRequestProcessorRegistry().processorFor(change, Statement.SYNC)));
        Map<String, Object> defaults = options(context.getConfig().getDefaultProfile());
        defaults.forEach((option, value) -> all.put("driver option `%s`".formatted(option), "`%s`".formatted(value)));
        context.getConfig().getProfiles().forEach((name, profile) -> {
            Map<String, Object> own = options(profile);
            own.entrySet().removeAll(defaults.entrySet());
            if (profile != context.getConfig().getDefaultProfile()) {
                all.put(
                        "driver profile `%s`".formatted(name),
                        own.entrySet().stream()
                                .map(each -> "`%s = %s`"
                                        .formatted(
                                                each.getKey(),
                                                String.valueOf(each.getValue()).replaceAll("^.*\\.(?=[A-Z])", "")))
                                .collect(Collectors.joining(", ")));
            }
        });
    }

    private static Map<String, Object> options(DriverExecutionProfile profile) {
        return profile.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, same) -> one, TreeMap::new));
    }

    /** The class of a part, or of what the default profile has. */
    private static String kind(Object part) {
        Object value = part instanceof Optional<?> some ? some.orElse(null) : part;
        if (value instanceof Map<?, ?> ofProfiles) {
            value = ofProfiles.get(DriverExecutionProfile.DEFAULT_NAME);
        }
        if (value instanceof Collection<?> parts) {
            return parts.stream()
                    .map(BeforeAnnotatingIntegrationTests::kind)
                    .toList()
                    .toString();
        }
        return value == null
                ? NONE
                : "`%s`".formatted(value.getClass().getSimpleName().replaceAll("\\$\\$Lambda.*", ""));
    }

    private static final class Sent implements RequestTracker {

        private final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public void onSuccess(Request request, long nanos, DriverExecutionProfile profile, Node node, String prefix) {
            Statement<?> sent = (Statement<?>) request;
            String text = sent instanceof SimpleStatement simple
                    ? simple.getQuery()
                    : ((BoundStatement) sent).getPreparedStatement().getQuery();
            all.add("`%s`".formatted(text)
                    + Stream.of(
                                    sent.getConsistencyLevel(),
                                    sent.getSerialConsistencyLevel(),
                                    sent.isIdempotent(),
                                    sent.getQueryTimestamp(),
                                    sent.getTimeout(),
                                    profile.getName())
                            .map(String::valueOf)
                            .toList());
        }

        /** A node may be asked several times. */
        String texts() {
            return all.stream()
                    .map(each -> each.substring(0, each.lastIndexOf('`') + 1))
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(", "));
        }

        @Override
        public void close() {}
    }

    @Table("before_note")
    record Note(@PrimaryKey UUID id, String text) {}

    interface Notes extends CassandraRepository<Note, UUID> {}

    static class Job {
        public void run() {}
    }

    @OwnRepositories
    static class Application {}
}
