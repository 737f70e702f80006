package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import com.datastax.oss.driver.internal.core.cql.DefaultAsyncResultSet;
import com.datastax.oss.driver.internal.core.cql.DefaultExecutionInfo;
import com.datastax.oss.driver.internal.core.cql.EmptyColumnDefinitions;
import com.datastax.oss.driver.internal.core.cql.ResultSets;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.embedded.SharedCassandra;
import io.surewrite.internal.cql.CqlTextAgainstCassandraTests.Facts;
import io.surewrite.internal.session.SessionDecorator;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.retry.WriteRetryTemplate;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.BothLanes;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.WriteReceipt;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;
import org.springframework.data.repository.Repository;
import org.springframework.util.ReflectionUtils;

/**
 * What is sent of a text, by a template, a repository, in a batch and from the backlog, where the first answer is lost:
 * Cassandra's own parser says which texts have a condition. {@code -Dsurewrite.seed=...} repeats a search.
 */
@BothLanes
class TextsInEveryWayIntegrationTests extends CassandraTest {

    private static final long SEED = Long.getLong("surewrite.seed", System.nanoTime());

    private static final int STATEMENTS = Integer.getInteger("surewrite.statements", 360);

    /** Of one boundary between tokens: one in a hurry, thirty where there is time. */
    private static final int CHANGES = Math.min(30, STATEMENTS / 60);

    private static final int METHODS = 500;

    private static final Network NETWORK = new Network();

    @TempDir
    static Path directory;

    private final Map<String, Facts> texts = new LinkedHashMap<>();
    private int types;

    /** Between the templates and the driver: loses the first answer to each text, and sends none of them. */
    private static final class Network implements BeanPostProcessor {

        private final Queue<Statement<?>> sent = new ConcurrentLinkedQueue<>();
        private final Queue<BoundStatement> replayed = new ConcurrentLinkedQueue<>();
        private Set<String> texts = Set.of();
        private boolean lost;

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof CqlSession session ? new Observed(session, this) : bean;
        }

        List<Statement<?>> sentBy(Runnable call) {
            sent.clear();
            lost = false;
            call.run();
            return List.copyOf(sent);
        }

        /** Null for what is none of the texts. */
        @Nullable
        CompletableFuture<AsyncResultSet> answer(Request request) {
            if (request instanceof BoundStatement bound && texts.contains(textOf(bound))) {
                replayed.add(bound); // nothing else prepares here
            } else if (request instanceof BatchStatement
                    || (request instanceof SimpleStatement simple && texts.contains(simple.getQuery()))) {
                sent.add((Statement<?>) request);
                if (!lost) {
                    lost = true;
                    return CompletableFuture.failedFuture(new DriverTimeoutException("lost on purpose"));
                }
            } else {
                return null;
            }
            return CompletableFuture.completedFuture(new DefaultAsyncResultSet(
                    EmptyColumnDefinitions.INSTANCE,
                    new DefaultExecutionInfo(request, null, 0, 0, List.of(), null, null, true, null, null, null),
                    new ArrayDeque<>(),
                    null,
                    null));
        }
    }

    private static final class Observed extends SessionDecorator {

        private final Network network;

        Observed(CqlSession session, Network network) {
            super(session);
            this.network = network;
        }

        @Override
        @SuppressWarnings("unchecked") // R is what the type says
        public <Q extends Request, R extends @Nullable Object> R execute(Q request, GenericType<R> resultType) {
            CompletableFuture<AsyncResultSet> answer = network.answer(request);
            if (answer == null) {
                return super.execute(request, resultType);
            }
            if (resultType.equals(Statement.ASYNC)) {
                return (R) answer;
            }
            try {
                return (R) ResultSets.newInstance(answer.join());
            } catch (CompletionException failed) {
                throw (RuntimeException) failed.getCause();
            }
        }
    }

    @Table("plain")
    record Plain(@PrimaryKey int pk) {}

    @BeforeAll
    static void createTables() {
        TestSchema.statements().forEach(session::execute);
    }

    @Test
    void aTextMeansTheSameWhateverSendsIt() throws IOException, ReflectiveOperationException {
        readTexts();
        NETWORK.texts = texts.keySet();
        application()
                .withBean(Network.class, () -> NETWORK)
                .withPropertyValues(
                        "surewrite.retry.initial-backoff=0s",
                        "surewrite.backlog.enabled=true",
                        "surewrite.backlog.directory=" + directory)
                .run(context -> {
                    context.getBean(CassandraTemplate.class).setUsePreparedStatements(false);
                    int byTemplates = byTemplates(context);
                    Set<String> retried = byRepositories(context);
                    int kept = fromTheBacklog(context, retried);
                    System.out.println(
                            "Of " + texts.size() + " texts " + byTemplates + " were sent by templates, and in batches, "
                                    + retried.size() + " by repositories, " + kept + " from the backlog; seed " + SEED);
                    assertThat(retried.size()).isGreaterThan(texts.size() / 20);
                    assertThat(kept).isGreaterThan(retried.size() / 10);
                });
    }

    private void readTexts() throws IOException, ReflectiveOperationException {
        try (CassandraParser cassandra =
                new CassandraParser(SharedCassandra.get().version())) {
            List<String> changed = CqlTextAgainstCassandraTests.changed(new Random(SEED), CHANGES);
            Collections.shuffle(changed, new Random(SEED));
            for (String cql : changed.subList(0, Math.min(changed.size(), 40 * STATEMENTS))) {
                Object parsed = cassandra.parse(cql);
                Facts facts = parsed == null ? null : CqlTextAgainstCassandraTests.facts(parsed);
                if (facts != null) {
                    texts.put(cql, facts);
                }
            }
        }
    }

    // ---- by templates, and in batches

    private int byTemplates(AssertableApplicationContext context) {
        WriteRetryTemplate retry = context.getBean("cassandraRetryTemplate", WriteRetryTemplate.class);
        CqlTemplate cql = context.getBean(CqlTemplate.class);
        CassandraTemplate template = context.getBean(CassandraTemplate.class);
        List<Function<String, Object>> ways = List.of(
                cql::execute,
                text -> cql.execute(SimpleStatement.newInstance(text)),
                text -> template.execute(SimpleStatement.newInstance(text)),
                text -> template.execute(BatchStatement.newInstance(
                        BatchType.LOGGED,
                        SimpleStatement.newInstance("UPDATE plain SET v = 1 WHERE pk = 1 AND ck = 1"),
                        SimpleStatement.newInstance(text))));
        int sent = 0;
        for (Map.Entry<String, Facts> text : texts.entrySet()) {
            Function<String, Object> way = ways.get(sent++ % 3);
            checkSent(text.getKey(), () -> retry.execute("text", () -> way.apply(text.getKey())));
            if (!text.getValue().reads()) {
                checkSent(
                        text.getKey(),
                        () -> retry.execute("batch", () -> ways.get(3).apply(text.getKey())));
            }
        }
        return sent;
    }

    /** Both times at one timestamp, which a condition must not have, and at a majority. The caller hears that it is done. */
    private void checkSent(String cql, Runnable call) {
        List<Statement<?>> sent = NETWORK.sentBy(call);
        assertThat(sent).as(because(cql)).hasSize(2);
        boolean conditional = texts.get(cql).conditional();
        for (Statement<?> one : sent) {
            checkStamp(
                    cql,
                    one,
                    conditional ? Statement.NO_DEFAULT_TIMESTAMP : sent.get(1).getQueryTimestamp());
            assertThat(one.getQueryTimestamp() == Statement.NO_DEFAULT_TIMESTAMP)
                    .as(because(cql))
                    .isEqualTo(conditional);
            assertThat(one.isIdempotent()).as(because(cql)).isEqualTo(conditional ? null : true);
        }
    }

    private static void checkStamp(String cql, Statement<?> sent, long timestamp) {
        assertThat(sent.getQueryTimestamp()).as(because(cql)).isEqualTo(timestamp);
        assertThat(sent.getConsistencyLevel()).as(because(cql)).isEqualTo(ConsistencyLevel.LOCAL_QUORUM);
    }

    private static String because(String cql) {
        return "seed %d: %s".formatted(SEED, cql);
    }

    // ---- by repositories

    /** The texts that a repository can have: plain Spring Data looks for parameters in literals, too. */
    private List<String> ofRepositories() {
        return texts.keySet().stream()
                .filter(cql -> !cql.contains("?") && !cql.contains(":"))
                .toList();
    }

    /** Answers with the texts that were not refused. */
    private Set<String> byRepositories(AssertableApplicationContext context) {
        TableLookup schema = TableLookup.of(context.getBean(CqlSession.class));
        IdempotenceCheck check = new IdempotenceCheck(false);
        AnnotationDescription retried =
                AnnotationDescription.Builder.ofType(Idempotent.class).build();
        Set<String> accepted = new LinkedHashSet<>();
        List<String> all = ofRepositories();
        accepted(context, all, ResultSet.class, retried, (cql, call) -> {
            accepted.add(cql);
            checkSent(cql, () -> assertThat(call.get()).as(because(cql)).isInstanceOf(ResultSet.class));
        });
        for (String cql : all) {
            assertThat(accepted.contains(cql))
                    .as(because(cql))
                    .isEqualTo(check.check(cql, schema).refusals().isEmpty());
            assertThat(accepted.contains(cql) && texts.get(cql).conditional())
                    .as(because(cql))
                    .isFalse();
        }
        return accepted;
    }

    /** Makes repositories with the texts, and then ones without the methods that are refused, whose others are called. */
    private void accepted(
            AssertableApplicationContext context,
            List<String> cql,
            Class<?> returned,
            AnnotationDescription annotation,
            BiConsumer<String, Supplier<@Nullable Object>> called) {
        for (int from = 0; from < cql.size(); from += METHODS) {
            Map<String, String> methods = new LinkedHashMap<>();
            for (String text : cql.subList(from, Math.min(from + METHODS, cql.size()))) {
                methods.put("m" + methods.size(), text);
            }
            methods.keySet().removeAll(refused(context, type(methods, returned, annotation)));
            Class<?> type = type(methods, returned, annotation);
            Object repository = repository(context, type);
            methods.forEach((name, text) -> called.accept(
                    text,
                    () -> ReflectionUtils.invokeMethod(
                            Objects.requireNonNull(ReflectionUtils.findMethod(type, name)), repository)));
        }
    }

    private static Set<String> refused(AssertableApplicationContext context, Class<?> type) {
        Throwable failure = catchThrowable(() -> repository(context, type));
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidConfigurationException refused) {
                return refused.refusals().stream()
                        .flatMap(one -> Arrays.stream(one.subject().split(", ", -1)))
                        .map(subject -> subject.substring(subject.indexOf('.') + 1))
                        .collect(Collectors.toSet());
            }
        }
        assertThat(failure).isNull();
        return Set.of();
    }

    private Class<?> type(Map<String, String> methods, Class<?> returned, AnnotationDescription annotation) {
        DynamicType.Builder<?> type = new ByteBuddy()
                .makeInterface(
                        TypeDescription.Generic.Builder.parameterizedType(Repository.class, Plain.class, Integer.class)
                                .build())
                .name(getClass().getName() + types++);
        for (Map.Entry<String, String> method : methods.entrySet()) {
            type = type.defineMethod(method.getKey(), returned, Visibility.PUBLIC)
                    .withoutCode()
                    .annotateMethod(
                            annotation,
                            AnnotationDescription.Builder.ofType(Query.class)
                                    .define("value", method.getValue())
                                    .build());
        }
        return type.make()
                .load(getClass().getClassLoader(), ClassLoadingStrategy.UsingLookup.of(MethodHandles.lookup()))
                .getLoaded();
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    private static Object repository(AssertableApplicationContext context, Class<?> type) {
        CassandraRepositoryFactoryBean bean = new CassandraRepositoryFactoryBean(type);
        bean.setCassandraTemplate(context.getBean(CassandraTemplate.class));
        context.getAutowireCapableBeanFactory().initializeBean(bean, "texts");
        return bean.getObject();
    }

    // ---- from the backlog

    /** Each answer is lost, so that each write is kept, and done later as it was decided. */
    private int fromTheBacklog(AssertableApplicationContext context, Set<String> retried) {
        List<String> all = ofRepositories().stream()
                .filter(cql -> retried.contains(cql) || texts.get(cql).conditional())
                .toList();
        AnnotationDescription kept = AnnotationDescription.Builder.ofType(Idempotent.class)
                .define("attempts", 1)
                .define("whenExhausted", WhenExhausted.BACKLOG)
                .build();
        Map<String, Long> decided = new HashMap<>();
        accepted(context, all, WriteReceipt.class, kept, (cql, call) -> {
            List<Statement<?>> sent =
                    NETWORK.sentBy(() -> assertThat(call.get()).as(because(cql)).isEqualTo(WriteReceipt.KEPT));
            assertThat(sent).as(because(cql)).hasSize(1);
            assertThat(texts.get(cql).conditional()).as(because(cql)).isFalse();
            decided.put(cql, sent.get(0).getQueryTimestamp());
        });
        await().atMost(Duration.ofMinutes(1))
                .until(() -> context.getBean(WriteBacklog.class).size().entries() == 0);
        NETWORK.replayed.forEach(sent -> checkStamp(textOf(sent), sent, decided.remove(textOf(sent))));
        assertThat(decided)
                .as("those that no server prepares, seed %d", SEED)
                .hasSize(context.getBean(WriteBacklog.class)
                        .deadLetters(0, all.size())
                        .size());
        return NETWORK.replayed.size();
    }

    private static String textOf(BoundStatement sent) {
        return sent.getPreparedStatement().getQuery();
    }
}
