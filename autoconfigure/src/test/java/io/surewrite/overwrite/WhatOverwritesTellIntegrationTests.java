package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.session.ScopedReactiveSession;
import io.surewrite.internal.session.StatementGuards;
import io.surewrite.overwrite.Overwrites.OverwriteSettings;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import io.surewrite.write.AttemptNotes;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.SentWrites;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.cql.session.DefaultBridgedReactiveSession;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.AfterSaveEvent;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveCallback;
import reactor.core.publisher.Mono;

/** What the caller, callbacks, listeners and the server get of an overwrite. */
@LongLane
class WhatOverwritesTellIntegrationTests extends CassandraTest {

    private static final OverwriteOptions AT_A_LEVEL_OUT_OF_REACH =
            OverwriteOptions.none().withConsistency(ConsistencyLevel.THREE);

    private static final List<String> heard = new ArrayList<>();
    private static final List<String> used = new ArrayList<>();
    private static OverwriteFixture fixture;
    private static RowOverwrites overwrites;
    private static ReactiveRowOverwrites reactive;

    private final String page = "page-" + UUID.randomUUID();
    private final UUID id = UUID.randomUUID();

    @Table("remark")
    record Remark(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String page,

            @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED)
            int line,

            @Nullable String text,
            @Nullable String author) {

        Remark withText(String other) {
            return new Remark(page, line, other, author);
        }
    }

    @Table("edition")
    record Edition(
            @PrimaryKey UUID id,
            @Nullable String text,
            @Version Long version) {}

    @Table("shelf")
    record Shelf(
            @PrimaryKey UUID id,
            @Nullable String name,
            @Nullable Set<String> books) {}

    /** Of two callbacks each leaves its mark. */
    private static final class Converting implements BeforeConvertCallback<Remark> {

        @Override
        public Remark onBeforeConvert(Remark remark, CqlIdentifier table) {
            return remark.withText(remark.text() + " converted");
        }
    }

    private static final class Saving implements BeforeSaveCallback<Remark> {

        @Override
        public Remark onBeforeSave(Remark remark, CqlIdentifier table, Statement<?> statement) {
            return remark.withText(remark.text() + " saved");
        }
    }

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE remark (page text, line int, text text, author text, PRIMARY KEY (page, line))");
        session.execute("CREATE TABLE edition (id uuid PRIMARY KEY, text text, version bigint)");
        session.execute("CREATE TABLE shelf (id uuid PRIMARY KEY, name text, books set<text>)");
        StaticApplicationContext context = new StaticApplicationContext();
        context.getBeanFactory().registerSingleton("converting", new Converting());
        context.getBeanFactory().registerSingleton("saving", new Saving());
        context.refresh();
        context.addApplicationListener(
                (AfterSaveEvent<?> event) -> heard.add("saved " + event.getSource() + " in " + event.getTableName()));
        Consumer<TableMetadata> hearsOfTables =
                table -> used.add(table.getName().asInternal());
        fixture = OverwriteFixture.on(
                session, OverwriteFixture.SETTINGS, new WriteTimestamps(Clock.systemUTC()), context, hearsOfTables);
        overwrites = fixture.overwrites();
        reactive = fixture.factory()
                .reactiveRowOverwrites(new ReactiveCassandraTemplate(
                        new ScopedReactiveSession(new DefaultBridgedReactiveSession(session)),
                        fixture.template().getConverter()));
    }

    @BeforeEach
    void hearNothing() {
        heard.clear();
    }

    @Test
    void theCallerGetsWhatTheCallbacksMadeOfTheEntity() {
        Remark made = remark(1, "a converted saved");
        assertThat(overwrites.overwrite(remark(1, "a"))).isEqualTo(made);
        assertThat(overwrites.overwriteAll(List.of(remark(1, "a"), remark(2, "b"))))
                .containsExactly(made, remark(2, "b converted saved"));
        assertThat(overwrites.overwritePartition(Remark.class, page, List.of(remark(1, "a"), remark(2, "b"))))
                .containsExactly(made, remark(2, "b converted saved"));
    }

    @Test
    void listenersHearOfEachEntityAfterItWasAcknowledged() {
        overwrites.overwrite(remark(1, "a"));
        overwrites.overwritePartition(Remark.class, page, List.of(remark(1, "a"), remark(2, "a")));

        assertThat(heard).containsExactly(saved(1), saved(1), saved(2));
        assertThat(used).as("each table, before its first row").containsOnlyOnce("remark");
    }

    @Test
    void aGuardOverwritesInThePlaceOfTheSession() {
        StatementGuards guards = new StatementGuards();
        var unused = guards.of(session.getContext(), context -> new SendingTwice());
        StaticApplicationContext context = new StaticApplicationContext();
        context.refresh();
        RowOverwrites guarded = new Overwrites(
                        session,
                        fixture.template().getConverter(),
                        OverwriteFixture.SETTINGS,
                        new WriteTimestamps(Clock.systemUTC()),
                        context,
                        table -> {},
                        guards)
                .rowOverwrites(fixture.template());

        guarded.overwrite(remark(1, "a"));
        for (ThrowingCallable refused : List.<ThrowingCallable>of(
                () -> guarded.overwrite(new Unsigned(page, 1, "b")),
                () -> guarded.overwrite(remark(1, "b"), OverwriteOptions.none().withTtl(Duration.ofHours(1))),
                () -> guarded.overwritePartition(Remark.class, page, List.of(remark(1, "b"))))) {
            assertThatExceptionOfType(OverwriteException.class)
                    .isThrownBy(refused)
                    .withMessageContaining("unique values")
                    .withMessageContaining("Fix: ");
        }
        assertThat(session.execute("SELECT WRITETIME(text) FROM remark WHERE page = ?", page)
                        .one()
                        .getLong(0))
                .isEqualTo(1_000_005);
    }

    /** Sends the row at one timestamp, and then at a later one. */
    private static final class SendingTwice implements StatementGuards.Guard {

        @Override
        public @Nullable CompletionStage<AsyncResultSet> send(
                Statement<?> statement, boolean blocking, CqlText.@Nullable Name inserting) {
            return null;
        }

        @Override
        public StatementGuards.Rows rows(CqlText.Name table) {
            return new StatementGuards.Rows() {

                @Override
                public Set<CqlIdentifier> constrained() {
                    return Set.of(CqlIdentifier.fromCql("author"));
                }

                @Override
                public CompletionStage<Void> overwrite(
                        Function<CqlIdentifier, @Nullable ByteBuffer> values,
                        LongFunction<CompletionStage<Void>> write) {
                    assertThat(values.apply(CqlIdentifier.fromCql("line"))).isNotNull();
                    assertThat(values.apply(CqlIdentifier.fromCql("author"))).isNull();
                    return write.apply(1_000_000).thenCompose(done -> write.apply(1_000_005));
                }
            };
        }
    }

    /** Its author would stay, and be free. */
    @Table("remark")
    record Unsigned(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String page,

            @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED)
            int line,

            @Nullable String text) {}

    @Test
    void anEntityWithAVersionIsWrittenWithTheOptionsOfTheCall() {
        OverwriteOptions brief = OverwriteOptions.none().withTtl(Duration.ofHours(1));
        Edition first = overwrites.overwrite(new Edition(id, "a", null), brief);
        assertThat(timeToLive()).isBetween(3_000, 3_600);
        Edition second = overwrites.overwrite(new Edition(id, "b", first.version()), brief.withTtl(Duration.ofDays(1)));
        assertThat(second).isEqualTo(new Edition(id, "b", first.version() + 1));
        assertThat(timeToLive()).isGreaterThan(80_000);

        Edition third = reactive.overwrite(new Edition(id, "c", second.version()), brief)
                .block();
        assertThat(third).isEqualTo(new Edition(id, "c", second.version() + 1));
        assertThat(timeToLive()).isBetween(3_000, 3_600);
        UUID other = UUID.randomUUID();
        assertThat(reactive.overwrite(new Edition(other, "a", null), brief).block())
                .isEqualTo(new Edition(other, "a", first.version()));
    }

    private int timeToLive() {
        return session.execute("SELECT TTL(text) FROM edition WHERE id = ?", id)
                .one()
                .getInt(0);
    }

    @Test
    void everyKindOfOverwriteKeepsToTheLevelOfTheCall() {
        // Conditional writes are applied before the level is found out of reach, so each has a row of its own.
        List<Supplier<Object>> entities = List.of(
                () -> remark(1, "a"),
                () -> new Edition(UUID.randomUUID(), "a", null),
                () -> overwrites.overwrite(new Edition(UUID.randomUUID(), "a", null)));
        for (Supplier<Object> entity : entities) {
            Object one = entity.get();
            outOfReach(() -> overwrites.overwrite(one, AT_A_LEVEL_OUT_OF_REACH));
            Object other = entity.get();
            outOfReach(() -> reactive.overwrite(other, AT_A_LEVEL_OUT_OF_REACH).block());
        }
        outOfReach(() ->
                overwrites.overwritePartition(Remark.class, page, List.of(remark(1, "a")), AT_A_LEVEL_OUT_OF_REACH));
    }

    private static void outOfReach(ThrowingCallable overwrite) {
        assertThatThrownBy(overwrite).hasStackTraceContaining("at consistency THREE");
    }

    @Test
    void aMajorityAcknowledgesItUnlessTheLevelIsLeftToTheDriver() {
        OverwriteFixture ofTheDriver = OverwriteFixture.on(session, new OverwriteSettings(1000, false, false));
        ReactiveRowOverwrites reactiveOfTheDriver = ofTheDriver
                .factory()
                .reactiveRowOverwrites(new ReactiveCassandraTemplate(
                        new ScopedReactiveSession(new DefaultBridgedReactiveSession(session)),
                        ofTheDriver.template().getConverter()));

        assertThat(levelOf(scope -> scope.call(() -> overwrites.overwrite(remark(1, "a")))))
                .isEqualTo(ConsistencyLevel.LOCAL_QUORUM);
        assertThat(levelOf(scope -> inScope(scope, reactive.overwrite(remark(1, "a")))))
                .isEqualTo(ConsistencyLevel.LOCAL_QUORUM);
        assertThat(levelOf(scope -> scope.call(() -> ofTheDriver.overwrites().overwrite(remark(1, "a")))))
                .isNull();
        assertThat(levelOf(scope -> inScope(scope, reactiveOfTheDriver.overwrite(remark(1, "a")))))
                .isNull();
    }

    private static void inScope(WriteScope scope, Mono<?> write) {
        write.contextWrite(ReactiveWriteScope.enter(scope)).block();
    }

    /** Nothing is sent. */
    private static @Nullable ConsistencyLevel levelOf(Consumer<WriteScope> write) {
        SentWrites sent = new SentWrites((operation, decided, statement) -> new CompletableFuture<>());
        sent.holdBack(new IllegalStateException("held back"));
        WriteScope scope = new WriteScope(1_000_000, true, true, null, sent);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> write.accept(scope))
                .withMessageContaining("held back");
        return sent.onlyWrite().getConsistencyLevel();
    }

    @Test
    void theClockOfItsSessionIsAskedInALogicalWriteOfAnother() {
        WriteTimestamps wrong = new WriteTimestamps(Clock.systemUTC());
        wrong.watch(clock -> new WriteTimestamps.ClockWatch() {

            @Override
            public String problem() {
                return "ten minutes ahead";
            }

            @Override
            public long longestLead() {
                return 0;
            }

            @Override
            public void close() {}
        });
        RowOverwrites onAWrongClock =
                OverwriteFixture.on(session, OverwriteFixture.SETTINGS, wrong).overwrites();
        WriteScope scope = new WriteScope(
                1_000_000,
                true,
                true,
                null,
                null,
                AttemptNotes.askingClocks(new WriteTimestamps(Clock.systemUTC()), Duration.ofSeconds(10)));

        assertThatExceptionOfType(ClockOffsetException.class)
                .isThrownBy(() -> scope.call(() -> onAWrongClock.overwrite(remark(1, "a"))))
                .withMessageContaining("ten minutes ahead");
        scope.call(() -> overwrites.overwrite(remark(2, "a")));
        assertThat(fixture.template().select("SELECT * FROM remark WHERE page = '" + page + "'", Remark.class))
                .extracting(Remark::line)
                .containsExactly(2);
    }

    @Test
    void theTableIsLookedAtOnlyForUnknownStatementsThatDeleteARow() {
        AtomicInteger looks = new AtomicInteger();
        RowOverwrites looking = OverwriteFixture.on(counting(looks)).overwrites();

        looking.overwrite(new Shelf(id, null, null));
        assertThat(looks).as("before and after a statement is prepared").hasValue(2);
        looking.overwrite(new Shelf(id, "a", null));
        assertThat(looks).as("for one that is known").hasValue(2);
        looking.overwrite(new Shelf(id, "a", Set.of("b")));
        looking.overwrite(new Shelf(id, null, Set.of("c")));
        assertThat(looks).as("for one with another text").hasValue(4);
    }

    /** A session that counts how often it is asked whether the nodes agree on the schema, as each look begins. */
    private static CqlSession counting(AtomicInteger looks) {
        return (CqlSession) Proxy.newProxyInstance(
                CqlSession.class.getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("checkSchemaAgreementAsync")) {
                        looks.incrementAndGet();
                    }
                    try {
                        return method.invoke(session, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }

    private String saved(int line) {
        return "saved " + remark(line, "a converted saved") + " in remark";
    }

    private Remark remark(int line, String text) {
        return new Remark(page, line, text, null);
    }
}
