package io.surewrite.repository;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.writeTimeout;
import static io.surewrite.StubCassandra.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.internal.core.session.DefaultSession;
import com.datastax.oss.simulacron.common.codec.ConsistencyLevel;
import com.datastax.oss.simulacron.common.codec.WriteType;
import com.datastax.oss.simulacron.common.result.Result;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshotFactory;
import io.surewrite.StubCassandra;
import io.surewrite.internal.session.ScopedCqlSession;
import io.surewrite.internal.session.ScopedReactiveSession;
import io.surewrite.retry.Idempotent;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowingConsumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.system.JavaVersion;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.cql.session.DefaultBridgedReactiveSession;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Beans of an application whose retried methods write on threads of their own. */
class WritesOnOtherThreadsTests {

    private static final String CQL = "INSERT INTO t (k, v) VALUES (1, 2)";
    private static final String OTHER = "INSERT INTO t (k, v) VALUES (3, 4)";
    private static final Result LOST = writeTimeout(ConsistencyLevel.QUORUM, 1, 2, WriteType.SIMPLE);

    private static final boolean HAS_VIRTUAL_THREADS =
            JavaVersion.getJavaVersion().isEqualOrNewerThan(JavaVersion.TWENTY_ONE);

    private static StubCassandra cassandra;
    private static CqlSession session;
    private static CqlOperations cql;

    /** Whose threads were there before any call. */
    private static ExecutorService pool;

    @BeforeAll
    static void start() throws Exception {
        cassandra = new StubCassandra(1);
        session = cassandra.session();
        cql = new CqlTemplate(ScopedCqlSession.of(session));
        pool = Executors.newFixedThreadPool(1);
        pool.submit(() -> {}).get(10, TimeUnit.SECONDS);
    }

    @AfterAll
    static void stop() {
        pool.shutdown();
        session.close();
        cassandra.close();
    }

    /** What a call has left to other threads is not counted among the writes of the next test. */
    @AfterEach
    void forget() throws Exception {
        Hooks.disableAutomaticContextPropagation();
        pool.submit(() -> {}).get(10, TimeUnit.SECONDS);
        Awaitility.await()
                .until(() -> ((DefaultSession) session)
                        .getPools().values().stream().allMatch(channels -> channels.getInFlight() == 0));
        cassandra.forget();
    }

    @Test
    void aMonoTakesTheScopeToAnotherScheduler() {
        Hooks.enableAutomaticContextPropagation();
        failTwice(CQL);
        with(users -> assertThat(users.saveOnAnotherScheduler().block()).isTrue());
        assertOneTimestamp(CQL, 3);
    }

    /** Virtual ones too, where this JDK has them. */
    static Stream<ThreadFactory> threads() {
        Stream<ThreadFactory> platform = Stream.of(Executors.defaultThreadFactory());
        return HAS_VIRTUAL_THREADS
                ? Stream.concat(platform, Stream.of(new VirtualThreadTaskExecutor().getVirtualThreadFactory()))
                : platform;
    }

    static List<Boolean> kindsOfThreads() {
        return HAS_VIRTUAL_THREADS ? List.of(false, true) : List.of(false);
    }

    /** As an application has it that sets nothing but these properties. */
    @ParameterizedTest
    @MethodSource("kindsOfThreads")
    void theExecutorOfSpringBootTakesTheScopeAlong(boolean virtual) {
        failTwice(CQL);
        application()
                .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .withPropertyValues(
                        "spring.task.execution.propagate-context=true", "spring.threads.virtual.enabled=" + virtual)
                .run(context -> {
                    AsyncTaskExecutor executor = context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
                    assertThat(executor instanceof SimpleAsyncTaskExecutor).isEqualTo(virtual);
                    context.getBean(Users.class).saveLaterBy(executor).join();
                });
        assertOneTimestamp(CQL, 3);
    }

    @Test
    void theThreadThatCarriedAScopeIsLeftWithoutOne() throws Exception {
        cassandra.prime(when(CQL).then(noRows()));
        ExecutorService carrying = ContextExecutorService.wrap(
                pool, ContextSnapshotFactory.builder().build());
        with(users -> users.saveBy(carrying));
        assertThat(pool.submit(WriteScope::current).get(10, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void anotherExecutorIsNotRepeated() {
        failTwice(CQL);
        with(users -> assertNotRepeated(() -> users.saveBy(pool)));
        assertOneTimestamp(CQL, 1);
    }

    /** What failed was in the scope; what a thread of the call's own wrote was not, and succeeded. */
    @ParameterizedTest
    @MethodSource("threads")
    void aCallThatHasWrittenOnAThreadOfItsOwnIsNotRepeated(ThreadFactory threads) {
        failTwice(CQL);
        cassandra.prime(when(OTHER).then(noRows()));
        with(users -> assertNotRepeated(() -> users.saveByAPoolOfItsOwn(threads)));
        assertOneTimestamp(CQL, 1);
        assertOneTimestamp(OTHER, 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSubscriptionInAScopeIsInItWhateverReactorPropagates(boolean automatic) {
        if (automatic) {
            Hooks.enableAutomaticContextPropagation();
        }
        cassandra.prime(when(CQL).then(noRows()));
        ScopedReactiveSession reactive = new ScopedReactiveSession(new DefaultBridgedReactiveSession(session));
        CompletableFuture<Boolean> subscribed = new CompletableFuture<>();
        WriteScope.at(42).call(() -> {
            reactive.execute(CQL).block();
            reactive.execute(CQL).toFuture().join();
            reactive.execute(CQL).subscribe(done -> subscribed.complete(true), subscribed::completeExceptionally);
            return null;
        });
        assertThat(subscribed.join()).isTrue();
        assertThat(cassandra.timestamps(CQL)).containsExactly(42L, 42L, 42L);
    }

    /** Nothing is known of a thread that a call has not made, and nothing is suspected. */
    @Test
    void writesOfOthersGoTheirWayWhileACallIsRepeated() {
        failTwice(CQL);
        cassandra.prime(when(OTHER).then(noRows()));
        with(users -> users.saveWhileOthersWrite(pool));
        assertOneTimestamp(CQL, 3);
        assertThat(cassandra.timestamps(OTHER)).hasSize(3).doesNotHaveDuplicates();
    }

    private static void failTwice(String statement) {
        cassandra.answerInTurn(
                when(statement).then(LOST),
                when(statement).then(LOST),
                when(statement).then(noRows()));
    }

    private static void assertNotRepeated(ThrowingCallable call) {
        assertThatThrownBy(call)
                .satisfies(thrown -> assertThat(thrown instanceof UnknownOutcomeException ? thrown : thrown.getCause())
                        .isInstanceOf(UnknownOutcomeException.class)
                        .hasMessageContaining("given up after 1 attempt(s)")
                        .hasMessageContaining("outside its scope"));
    }

    private static void assertOneTimestamp(String statement, int attempts) {
        assertThat(cassandra.timestamps(statement)).hasSize(attempts);
        assertThat(new HashSet<>(cassandra.timestamps(statement))).hasSize(1);
    }

    private static void with(ThrowingConsumer<Users> action) {
        application().run(context -> action.accept(context.getBean(Users.class)));
    }

    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withUserConfiguration(IdempotentBeanTests.Retry.class)
                .withBean(WriteTimestamps.class, () -> WriteTimestamps.of(session))
                .withBean(Users.class);
    }

    static class Users {

        @Idempotent
        public Mono<Boolean> saveOnAnotherScheduler() {
            return Mono.fromCallable(() -> cql.execute(CQL)).subscribeOn(Schedulers.boundedElastic());
        }

        @Idempotent
        public void saveBy(ExecutorService executor) throws Exception {
            executor.submit(() -> cql.execute(CQL)).get();
        }

        @Idempotent
        public CompletableFuture<Boolean> saveLaterBy(Executor executor) {
            return CompletableFuture.supplyAsync(() -> cql.execute(CQL), executor);
        }

        @Idempotent
        public void saveByAPoolOfItsOwn(ThreadFactory threads) throws Exception {
            ExecutorService own = Executors.newFixedThreadPool(1, threads);
            try {
                own.submit(() -> cql.execute(OTHER)).get();
            } finally {
                own.shutdown();
            }
            cql.execute(CQL);
        }

        @Idempotent
        public void saveWhileOthersWrite(ExecutorService others) throws Exception {
            WriteScope mine = WriteScope.current();
            assertThat(mine).isNotNull();
            others.submit(() -> cql.execute(OTHER)).get();
            cql.execute(CQL);
        }
    }
}
