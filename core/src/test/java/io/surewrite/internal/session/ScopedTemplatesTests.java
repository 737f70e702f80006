package io.surewrite.internal.session;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.noRows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.unavailable;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.simulacron.common.codec.ConsistencyLevel;
import com.datastax.oss.simulacron.common.request.Query;
import io.surewrite.StubCassandra;
import io.surewrite.write.AttemptNotes;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.SentWrites;
import io.surewrite.write.WriteFailures;
import io.surewrite.write.WriteKeeper;
import io.surewrite.write.WriteScope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Mockito;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.AsyncCassandraTemplate;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.cql.AsyncCqlTemplate;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.cql.PreparedStatementBinder;
import reactor.core.publisher.Mono;

class ScopedTemplatesTests {

    private static final String TEXT = "INSERT INTO thing (id,name) VALUES ('1','text')";
    private static final String PREPARED = "INSERT INTO thing (id,name) VALUES (?,?)";

    private static final AtomicLong TIMESTAMPS = new AtomicLong();

    private static StubCassandra cassandra;
    private static CqlSession session;
    private static AsyncCassandraTemplate async;

    @BeforeAll
    static void start() {
        cassandra = new StubCassandra(1);
        session = cassandra.session();
        async = ScopedTemplates.of(session).async();
    }

    @AfterAll
    static void stop() {
        session.close();
        cassandra.close();
    }

    @AfterEach
    void forget() {
        cassandra.forget();
    }

    static Stream<Arguments> writes() {
        ScopedTemplates templates = ScopedTemplates.of(session);
        CassandraTemplate template = templates.blocking();
        AsyncCassandraTemplate async = templates.async();
        ReactiveCassandraTemplate reactive = templates.reactive();
        SimpleStatement text = SimpleStatement.newInstance(TEXT);
        return Stream.of(
                write(TEXT, () -> template.getCqlOperations().execute(TEXT)),
                write(TEXT, () -> template.getCqlOperations().execute(text)),
                write(PREPARED, () -> template.getCqlOperations().execute(PREPARED, "1", "text")),
                write(PREPARED, () -> template.insert(new Thing("1", "text"))),
                write(TEXT, () -> async.getAsyncCqlOperations().execute(TEXT).join()),
                write(TEXT, () -> async.getAsyncCqlOperations().execute(text).join()),
                write(
                        PREPARED,
                        () -> async.getAsyncCqlOperations()
                                .execute(PREPARED, "1", "text")
                                .join()),
                write(PREPARED, () -> async.insert(new Thing("1", "text")).join()),
                write(
                        TEXT,
                        () -> reactive.getReactiveCqlOperations().execute(TEXT).block()),
                write(
                        TEXT,
                        () -> reactive.getReactiveCqlOperations().execute(text).block()),
                write(PREPARED, () -> await(reactive.getReactiveCqlOperations().execute(PREPARED, "1", "text"))),
                write(PREPARED, () -> await(reactive.insert(new Thing("1", "text")))));
    }

    @ParameterizedTest
    @MethodSource("writes")
    void pinTheTimestampOfTheirScope(String cql, Runnable write) {
        primeSuccess();
        long first = nextTimestamp();
        long second = nextTimestamp();
        at(first, write);
        at(first, write);
        at(second, write);
        assertThat(cassandra.timestamps(cql)).containsExactly(first, first, second);
    }

    @Test
    void pinTheTimestampOfTheCallerThoughTheDriverIsStillPreparing() {
        String cql = "INSERT INTO thing (id,name) VALUES ('1','fresh')";
        cassandra.prime(
                when(cql).then(noRows()).delay(100, TimeUnit.MILLISECONDS).applyToPrepare());
        at(
                100,
                () -> async.getAsyncCqlOperations()
                        .execute(cql, (PreparedStatementBinder) null)
                        .join());
        assertThat(cassandra.timestamps(cql)).containsExactly(100L);
    }

    @Test
    void aTemplateWithSettingsOfItsOwnCountsEachStatementOnce() {
        primeSuccess();
        AsyncCassandraTemplate template = ScopedTemplates.of(session).async();
        ((AsyncCqlTemplate) template.getAsyncCqlOperations()).setPageSize(7);
        WriteScope scope = WriteScope.at(nextTimestamp());
        scope.call(() -> template.insert(new Thing("1", "text")).join());
        assertThat(scope.statements().tally(new IllegalStateException("later"), WriteFailures::ofPlain))
                .isEqualTo(new AttemptNotes.Tally(1, 0));
    }

    /** A write that is to be kept for later uses the statement that was prepared before the cluster went away. */
    @Test
    void useWhatWasPreparedBefore() {
        String lost = "INSERT INTO thing (id) VALUES ('lost')";
        String known = "INSERT INTO thing (id) VALUES ('known')";
        cassandra.prime(when(known).then(noRows()));
        cassandra.prime(
                when(lost).then(unavailable(ConsistencyLevel.QUORUM, 2, 1)).applyToPrepare());
        PreparedStatement before = session.prepare(known);
        WriteKeeper keeper = mock(WriteKeeper.class, Mockito.CALLS_REAL_METHODS);
        doReturn(before).when(keeper).recall(lost);
        ScopedTemplates templates = ScopedTemplates.of(session);
        new WriteScope(100, true, true, null, new SentWrites(keeper)).call(() -> {
            templates.blocking().getCqlOperations().execute(lost, new Object[0]);
            templates
                    .async()
                    .getAsyncCqlOperations()
                    .execute(lost, new Object[0])
                    .join();
            await(templates.reactive().getReactiveCqlOperations().execute(lost, new Object[0]));
            return null;
        });
        assertThat(cassandra.timestamps(known)).containsExactly(100L, 100L, 100L);
    }

    /** As Boot hands it to its session factory. */
    @Test
    void sendPastAProxyThatOnlyLooksTheSessionUp() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.getBeanFactory().registerSingleton("session", session);
            context.registerBean(LazySession.class);
            context.refresh();
            CqlSession lazy = context.getBean(LazySession.class).session();
            assertThat(lazy).isNotSameAs(session);
            assertThat(SessionDecorator.unwrap(scoped(lazy).getSession())).isSameAs(session);
        }
    }

    /** Another caller, a tenant say, has another session behind the same proxy. */
    @Test
    void lookUpASessionThatIsNoSingletonEachTime() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
                CqlSession other = cassandra.session()) {
            AtomicReference<CqlSession> tenants = new AtomicReference<>(session);
            context.registerBean(
                    "session",
                    CqlSession.class,
                    tenants::get,
                    definition -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE));
            context.registerBean(LazySession.class);
            context.refresh();
            SessionFactory sessions = scoped(context.getBean(LazySession.class).session());
            assertThat(SessionDecorator.unwrap(sessions.getSession())).isSameAs(session);
            tenants.set(other);
            assertThat(SessionDecorator.unwrap(sessions.getSession())).isSameAs(other);
        }
    }

    @Test
    void sendThroughAProxyThatDoesMore() {
        ProxyFactory observing = new ProxyFactory(session);
        observing.addAdvice((MethodInterceptor) MethodInvocation::proceed);
        CqlSession observed = (CqlSession) observing.getProxy();
        assertThat(SessionDecorator.unwrap(scoped(observed).getSession())).isSameAs(observed);
    }

    private static SessionFactory scoped(CqlSession given) {
        CqlTemplate template = new CqlTemplate(given);
        assertThat(TemplateScope.enter(template)).isTrue();
        return Objects.requireNonNull(template.getSessionFactory());
    }

    record LazySession(@Lazy CqlSession session) {}

    /** In the scope of the subscription: while a statement is prepared, another thread takes over. */
    private static void await(Mono<?> write) {
        WriteScope scope = WriteScope.current();
        (scope == null ? write : write.contextWrite(ReactiveWriteScope.enter(scope))).block();
    }

    /** Another one for every test: the driver remembers what it prepared. */
    private static long nextTimestamp() {
        return TIMESTAMPS.incrementAndGet();
    }

    private static void at(long timestamp, Runnable write) {
        WriteScope.at(timestamp).call(() -> {
            write.run();
            return null;
        });
    }

    private static Arguments write(String cql, Runnable write) {
        return Arguments.of(cql, write);
    }

    private static void primeSuccess() {
        cassandra.prime(when(TEXT).then(noRows()));
        LinkedHashMap<String, String> types = new LinkedHashMap<>();
        types.put("id", "varchar");
        types.put("name", "varchar");
        cassandra.prime(when(new Query(PREPARED, List.of(), new LinkedHashMap<>(), types))
                .then(noRows()));
    }

    record Thing(@Id String id, String name) {}
}
