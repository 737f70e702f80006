package io.surewrite.unique.claims;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.StubCassandra;
import io.surewrite.actuate.SurewriteMeters;
import io.surewrite.actuate.SurewriteObservations;
import io.surewrite.architecture.ShippedOnly;
import io.surewrite.backlog.BacklogDamagedException;
import io.surewrite.backlog.BacklogException;
import io.surewrite.backlog.BacklogFullException;
import io.surewrite.backlog.BacklogLockedException;
import io.surewrite.backlog.BacklogRefusedException;
import io.surewrite.backlog.replay.BacklogSession;
import io.surewrite.backlog.replay.BacklogSettings;
import io.surewrite.backlog.replay.StoredWriteBacklog;
import io.surewrite.backlog.store.SqliteBacklogStore;
import io.surewrite.cql.AttemptNotes;
import io.surewrite.cql.Backoff;
import io.surewrite.cql.ClockOffsetException;
import io.surewrite.cql.CopyableFailure;
import io.surewrite.cql.PartlyDoneException;
import io.surewrite.cql.SerialConsistencyException;
import io.surewrite.cql.TransactionalTableException;
import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.cql.WriteListener;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.cql.server.TransactionalTables;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.journal.JournalException;
import io.surewrite.lease.CloseableLeaseLocks;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseLostException;
import io.surewrite.lease.LeaseNotAcquiredException;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.LeaseSettingsException;
import io.surewrite.lease.LeaseUnavailableException;
import io.surewrite.lease.LeasedMethodException;
import io.surewrite.lease.OnLoss;
import io.surewrite.lease.WithLease;
import io.surewrite.lease.tenure.InMemoryLeases;
import io.surewrite.overwrite.ForeignRowException;
import io.surewrite.overwrite.InvalidTimestampException;
import io.surewrite.overwrite.InvalidValueException;
import io.surewrite.overwrite.ListOverwriteException;
import io.surewrite.overwrite.MissingKeyException;
import io.surewrite.overwrite.NullEntityException;
import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.overwrite.OverwriteTooLargeException;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.overwrite.TimestampTieException;
import io.surewrite.overwrite.UnsupportedOverwriteException;
import io.surewrite.repository.RefusedRepositoriesException;
import io.surewrite.retry.Circuit;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.IdempotentMethodException;
import io.surewrite.retry.RetrySettings;
import io.surewrite.retry.RowWrittenTwiceException;
import io.surewrite.retry.WriteCircuitOpenException;
import io.surewrite.retry.engine.RetryEngine;
import io.surewrite.retry.engine.RetrySupport;
import io.surewrite.retry.engine.ScopedRetryTemplate;
import io.surewrite.schema.SchemaException;
import io.surewrite.session.SureSessionException;
import io.surewrite.session.SureSessions;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.ClaimPendingException;
import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.InvalidConstraintException;
import io.surewrite.unique.SupersededException;
import io.surewrite.unique.UnclaimableValueException;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.catalog.NoMapping;
import io.surewrite.unique.catalog.UniqueCatalog;
import io.surewrite.unique.rows.CqlRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.convert.MappingCassandraConverter;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.cql.session.DefaultSessionFactory;
import org.springframework.data.cassandra.core.cql.session.lookup.AbstractRoutingSessionFactory;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;

/**
 * Each exception of the library, made once: what it says, what it is, and what the meters say are one and the same. One
 * that is new is added here.
 */
@TestMethodOrder(OrderAnnotation.class)
class PublicExceptionsIntegrationTests extends CassandraTest {

    private static final String MAY_BE = "may be (in effect|written|done)";
    private static final String IS_NOT = "(nothing|the row) was (not )?(written|sent)";

    /** What an exception promises of the write. */
    private enum Promise {
        /** It was not done, and will not be. */
        NOT_DONE,
        /** It may be done. */
        UNKNOWN,
        /** It was done, but not as it was meant, or others may have acted meanwhile. */
        NOT_AS_MEANT,
        /** Nothing runs. */
        NO_START
    }

    private static final Set<Class<?>> made = new HashSet<>();

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final SurewriteMeters metered = new SurewriteMeters(meters);
    private final SurewriteObservations observed = new SurewriteObservations(observations());

    @TempDir
    private Path directory;

    private ObservationRegistry observations() {
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        return observations;
    }

    @BeforeAll
    static void createTables() {
        session.execute(
                "CREATE TABLE IF NOT EXISTS leaf (tree text, id uuid, color text, wood text, PRIMARY KEY (tree, id))");
        session.execute("CREATE TABLE IF NOT EXISTS playlist (id uuid PRIMARY KEY, songs list<text>)");
        session.execute("CREATE TABLE IF NOT EXISTS tagged (id uuid PRIMARY KEY, tags set<text>)");
        session.execute("CREATE TABLE IF NOT EXISTS visits (id uuid PRIMARY KEY, seen counter)");
        session.execute("CREATE TABLE IF NOT EXISTS note (id int PRIMARY KEY, text text)");
    }

    /** After all others: each has made its own. */
    @Test
    @Order(Integer.MAX_VALUE)
    void noneIsForgotten() {
        assertThat(made)
                .containsExactlyInAnyOrderElementsOf(new ClassFileImporter()
                        .withImportOption(new ShippedOnly()).importPackages("io.surewrite").stream()
                                .filter(type -> type.isAssignableTo(Throwable.class))
                                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                                .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
                                .filter(type -> !type.getPackageName().startsWith("io.surewrite.embedded"))
                                .map(JavaClass::reflect)
                                .collect(Collectors.toSet()));
    }

    @Test
    void saysOneThingOfAUniqueValue() {
        ScriptedGuard user = new ScriptedGuard(UniqueListener.all(List.of(observed, metered)));
        var duplicate = user.guard.insertAsync(user.rows, user.user("1", "a")).toCompletableFuture();
        user.next("create login 1:a").refused(ScriptedGuard.settled("2", 5));
        user.next("read 2").shows(ShownRow.of("2", "a", 5));
        made(DuplicateValueException.class, Promise.NOT_DONE, () -> duplicate.getNow(null));
        call("duplicate");

        var pending = user.guard.insertAsync(user.rows, user.user("1", "b")).toCompletableFuture();
        user.clock.freeze(Duration.ofSeconds(1));
        user.next("create login 1:b").refused(ScriptedGuard.reserved("2", 5));
        user.next("read 2").shows(ShownRow.absent("2"));
        user.next("look at login 1:b").finds(null);
        made(ClaimPendingException.class, Promise.NOT_DONE, () -> pending.getNow(null));
        call("pending");

        var unavailable = user.guard.insertAsync(user.rows, user.user("1", "c")).toCompletableFuture();
        user.next("create login 1:c").done();
        user.clock.freeze(Duration.ofSeconds(30));
        user.next("write").fails(Sent.neverSent());
        user.next("withdraw login 1:c").done();
        made(ClaimsUnavailableException.class, Promise.NOT_DONE, () -> unavailable.getNow(null));
        call("unavailable");

        var unknown = user.guard.insertAsync(user.rows, user.user("1", "d")).toCompletableFuture();
        user.next("create login 1:d").done();
        user.clock.freeze(Duration.ofSeconds(30));
        user.next("write").fails(Sent.lost());
        made(UnknownOutcomeException.class, Promise.UNKNOWN, () -> unknown.getNow(null));
        call("unknown");

        var superseded = user.guard.insertAsync(user.rows, user.user("1", "e")).toCompletableFuture();
        user.next("create login 1:e").done();
        Sent write = user.next("write");
        user.clock.advance(ScriptedGuard.USABLE);
        write.done();
        user.next("look at fence of row of user 1").isFencedAt(write.timestamp);
        user.next("read 1").shows(ShownRow.absent("1"));
        made(SupersededException.class, Promise.UNKNOWN, () -> superseded.getNow(null));
        call("superseded");

        user.wrong = "this machine is an hour ahead";
        var refused = user.guard.insertAsync(user.rows, user.user("1", "f")).toCompletableFuture();
        made(ClockOffsetException.class, Promise.NOT_DONE, () -> refused.getNow(null));
        call("failed");
        user.nothingSent();
    }

    /** The newest call of the guard. */
    private void call(String outcome) {
        assertThat(meters.get("surewrite.unique")
                        .tag("outcome", outcome)
                        .timer()
                        .count())
                .as(outcome)
                .isEqualTo(1);
    }

    @Test
    void saysOneThingOfALease() throws Exception {
        try (InMemoryLeases table = new InMemoryLeases()) {
            CloseableLeaseLocks locks = table.process(LeaseListener.all(List.of(observed, metered)));
            table.process().tryAcquire("held");
            made(LeaseNotAcquiredException.class, Promise.NOT_DONE, () -> locks.acquire("held", Duration.ZERO));
            count("surewrite.lease.acquire", "outcome", "refused");
            made(
                    LeaseLostException.class,
                    Promise.NOT_AS_MEANT,
                    () -> locks.callUnder(LeaseRequest.of("lost"), Duration.ZERO, OnLoss.INTERRUPT, lease -> {
                        table.clear("lost");
                        return lease.renew();
                    }));
            count("surewrite.lease.hold", "end", "gone");
            made(
                    LeaseSettingsException.class,
                    Promise.NOT_DONE,
                    () -> LeaseRequest.of("short").withTtl(Duration.ofSeconds(1)));
            table.fallSilent();
            made(LeaseUnavailableException.class, Promise.NOT_DONE, () -> locks.acquire("free", Duration.ofMillis(10)));
            count("surewrite.lease.acquire", "outcome", "unavailable");
        }
    }

    @Test
    void saysOneThingOfARetry() {
        DriverTimeoutException late = new DriverTimeoutException("no answer");
        ScopedRetryTemplate writes = template(Circuit.NONE);
        ThrowingCallable lost = () -> writes.execute("lost", () -> {
            throw late;
        });
        made(UnknownOutcomeException.class, Promise.UNKNOWN, lost);
        ended("lost", "unknown");
        made(
                PartlyDoneException.class,
                Promise.UNKNOWN,
                () -> writes.execute("partly", () -> {
                    AttemptNotes statements =
                            Objects.requireNonNull(WriteScope.current()).statements();
                    statements.begun("first");
                    statements.acknowledged("first");
                    throw late;
                }));
        ended("partly", "unknown");
        ClaimsUnavailableException nothing = new ClaimsUnavailableException("the row was not written", late);
        assertThat(catchThrowable(() -> writes.execute("nothing", () -> {
                    throw nothing;
                })))
                .as("what says that nothing was written is believed")
                .isSameAs(nothing);
        ended("nothing", "exhausted");
        assertThat(catchThrowable(() -> writes.forReads().execute("read", () -> {
                    throw late;
                })))
                .as("a read is never in effect")
                .isSameAs(late);
        ended("read", "exhausted");
        AtomicInteger attempts = new AtomicInteger();
        made(
                UnknownOutcomeException.class,
                Promise.UNKNOWN,
                () -> writes.execute("both", () -> {
                    throw attempts.incrementAndGet() == 1 ? late : nothing;
                }));
        ended("both", "unknown");
        ScopedRetryTemplate open = template(new Circuit() {
            @Override
            public boolean tryPass() {
                return false;
            }
        });
        made(WriteCircuitOpenException.class, Promise.NOT_DONE, () -> open.execute("open", () -> "never run"));
        ended("open", "exhausted");
        assertThat(meters.get("surewrite.write.attempts")
                        .tag("operation", "open")
                        .counter()
                        .count())
                .isZero();
    }

    private ScopedRetryTemplate template(Circuit circuit) {
        return ScopedRetryTemplate.forIdempotentWrites(
                new RetrySettings(2, Duration.ofSeconds(5), new Backoff(Duration.ofMillis(1), Duration.ofMillis(1), 1)),
                RetryEngine.framework(),
                new RetrySupport(
                        new WriteTimestamps(Clock.systemUTC()),
                        circuit,
                        WriteListener.all(List.of(observed, metered)),
                        new Random(1),
                        System::nanoTime,
                        null));
    }

    @Test
    void saysOneThingOfAnOverwriteTheJournalOrASession() {
        repository(Notes.class)
                .withBean(MeterRegistry.class, () -> meters)
                .withPropertyValues("surewrite.journal.enabled=true")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    made(
                            RowWrittenTwiceException.class,
                            Promise.NOT_DONE,
                            () -> context.getBean(Notes.class).saveAll(List.of(new Note(1, "a"), new Note(1, "b"))));
                    overwrites(context.getBean(RowOverwrites.class));
                    assertThat(meters.find("surewrite.overwrite.size").summaries().stream()
                                    .mapToLong(size -> size.count()))
                            .as("one that was written and then seen to be torn, and its rival")
                            .containsExactly(2L);
                    made(
                            SureSessionException.class,
                            Promise.NOT_DONE,
                            () -> context.getBean(SureSessions.class)
                                    .of(routing())
                                    .session());
                    made(
                            JournalException.class,
                            Promise.NOT_DONE,
                            () -> context.getBean(AttributeJournal.class)
                                    .record("x", Map.of("a", "b"), Instant.now().plusSeconds(3600)));
                    UniqueConstraint login = UniqueConstraint.on("login", "login");
                    made(
                            UnclaimableValueException.class,
                            Promise.NOT_DONE,
                            () -> context.getBean(UniqueGuard.class).claim(login, "1", (Object) null));
                });
    }

    private static CassandraTemplate routing() {
        AbstractRoutingSessionFactory routing = new AbstractRoutingSessionFactory() {
            @Override
            protected Object determineCurrentLookupKey() {
                return "tenant";
            }
        };
        routing.setTargetSessionFactories(Map.of("tenant", new DefaultSessionFactory(session)));
        routing.afterPropertiesSet();
        return new CassandraTemplate(routing, new MappingCassandraConverter());
    }

    private void overwrites(RowOverwrites overwrites) {
        UUID id = UUID.randomUUID();
        Leaf leaf = new Leaf("oak", id, "green", null);
        made(MissingKeyException.class, Promise.NOT_DONE, () -> overwrites.overwrite(new Leaf("oak", null, "g", null)));
        made(
                ForeignRowException.class,
                Promise.NOT_DONE,
                () -> overwrites.overwritePartition(Leaf.class, "elm", List.of(leaf)));
        made(
                InvalidTimestampException.class,
                Promise.NOT_DONE,
                () -> overwrites.overwrite(leaf, OverwriteOptions.none().withTimestamp(0)));
        made(
                ListOverwriteException.class,
                Promise.NOT_DONE,
                () -> overwrites.overwrite(new Playlist(id, List.of("a"))));
        made(NullEntityException.class, Promise.NOT_DONE, () -> overwrites.overwrite((Object) null));
        Set<String> holed = new HashSet<>();
        holed.add(null);
        made(InvalidValueException.class, Promise.NOT_DONE, () -> overwrites.overwrite(new Tagged(id, holed)));
        made(UnsupportedOverwriteException.class, Promise.NOT_DONE, () -> overwrites.overwrite(new Visits(id, 1)));
        String large = "x".repeat(8_000_000);
        made(
                OverwriteTooLargeException.class,
                Promise.NOT_DONE,
                () -> overwrites.overwrite(new Leaf("oak", id, large + large, null)));
        OverwriteOptions same = OverwriteOptions.none().withTimestamp(1_000_000).detectingTies();
        overwrites.overwrite(new Leaf("oak", id, "a", "z"), same);
        made(
                TimestampTieException.class,
                Promise.NOT_AS_MEANT,
                () -> overwrites.overwrite(new Leaf("oak", id, "z", "a"), same));
    }

    private static void write(Path file) {
        try {
            Files.writeString(file, "no database");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void saysOneThingOfTheBacklog() {
        Path folder = directory.resolve("backlog");
        SqliteBacklogStore store = new SqliteBacklogStore(folder, 1, 1, false);
        made(BacklogLockedException.class, Promise.NO_START, () -> new SqliteBacklogStore(folder, 1, 1, false).close());
        StoredWriteBacklog backlog = new StoredWriteBacklog(
                List.of(new BacklogSession("", session)),
                store,
                new BacklogSettings(
                        Duration.ofHours(1),
                        4,
                        0,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        3,
                        Duration.ofSeconds(1),
                        16 << 20),
                List.of(metered),
                Clock.systemUTC(),
                null);
        made(
                BacklogRefusedException.class,
                Promise.NOT_DONE,
                () -> backlog.put("refused", SimpleStatement.newInstance("TRUNCATE note")));
        count("surewrite.backlog.not.kept", "operation", "refused");
        SimpleStatement insert = SimpleStatement.newInstance("INSERT INTO note (id, text) VALUES (?, ?)", 1, "x");
        made(BacklogFullException.class, Promise.NOT_DONE, () -> backlog.put("full", insert));
        count("surewrite.backlog.not.kept", "operation", "full");
        backlog.close();
        made(BacklogException.class, Promise.NOT_DONE, () -> backlog.put("closed", insert));
        count("surewrite.backlog.not.kept", "operation", "closed");
        write(folder.resolve("backlog.db"));
        made(
                BacklogDamagedException.class,
                Promise.NO_START,
                () -> new SqliteBacklogStore(folder, 1, 1, false).close());
    }

    @Test
    void saysWhyAnApplicationDoesNotStart() {
        UniqueCatalog catalog = new UniqueCatalog();
        Supplier<CqlRows> unread = () -> {
            throw new AssertionError("not asked for");
        };
        UniqueConstraint login = UniqueConstraint.on("login", "login");
        catalog.add(login, "a", "login", unread, new NoMapping(), "As");
        made(
                InvalidConstraintException.class,
                Promise.NO_START,
                () -> catalog.add(login, "b", "login", unread, new NoMapping(), "Bs"));
        ApplicationContextRunner watching = application().withPropertyValues("surewrite.schema.table-prefix=missing_");
        fails(
                SchemaException.class,
                watching.withPropertyValues("surewrite.schema.initialize=never"),
                context -> context.getBean(LeaseLocks.class));
        application()
                .run(context -> assertThat(context.getBean(LeaseLocks.class)).isNotNull());
        fails(
                SerialConsistencyException.class,
                application().withPropertyValues("surewrite.conditional.serial-consistency=local-serial"),
                context -> context.getBean(LeaseLocks.class));
        fails(IdempotentMethodException.class, application().withBean(Impossible.class), context -> {});
        fails(LeasedMethodException.class, application().withBean(Nameless.class), context -> {});
        fails(RefusedRepositoriesException.class, repository(Counts.class), context -> {});
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    private static ApplicationContextRunner repository(Class<?> type) {
        return application()
                .withBean(
                        CassandraRepositoryFactoryBean.class,
                        () -> new CassandraRepositoryFactoryBean(type),
                        definition -> definition
                                .getPropertyValues()
                                .add("cassandraTemplate", new RuntimeBeanReference(CassandraTemplate.class)));
    }

    @Test
    void saysThatATableTakesNoTimestamps() {
        try (StubCassandra six = new StubCassandra("6.0.0")) {
            six.prime(StubCassandra.when(TransactionalTables.SCHEMA)
                    .then(rows().row(StubCassandra.described(
                                    CqlIdentifier.fromInternal("shop"), CqlIdentifier.fromInternal("item"), "full"))
                            .columnTypes(StubCassandra.describedColumns())));
            try (CqlSession accord = six.plainSession(UnaryOperator.identity())) {
                assertThat(TransactionalTables.of(accord.getContext()).await()).isTrue();
                made(
                        TransactionalTableException.class,
                        Promise.NOT_DONE,
                        () -> TransactionalTableException.check(
                                accord.getContext(),
                                SimpleStatement.newInstance("INSERT INTO shop.item (id) VALUES (1)")));
            }
        }
    }

    private void fails(
            Class<? extends Throwable> type, ApplicationContextRunner runner, Consumer<ApplicationContext> use) {
        runner.run(context -> {
            Throwable failure = context.getStartupFailure();
            Throwable thrown = failure == null ? catchThrowable(() -> use.accept(context)) : failure;
            made(type, Promise.NO_START, () -> {
                throw Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
                        .filter(type::isInstance)
                        .findFirst()
                        .orElse(NestedExceptionUtils.getMostSpecificCause(thrown));
            });
        });
    }

    private void made(Class<? extends Throwable> type, Promise promise, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        Throwable failure = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        assertThat(failure).isExactlyInstanceOf(type);
        made.add(type);
        assertThat(failure.getMessage()).as(type.getName()).isNotBlank();
        if (thrown == failure && promise != Promise.NO_START) {
            assertThat(failure)
                    .as("leads to its caller")
                    .hasStackTraceContaining(getClass().getName());
        }
        if (failure instanceof CopyableFailure copyable) {
            assertThat(copyable.copy())
                    .isExactlyInstanceOf(type)
                    .hasMessage(failure.getMessage())
                    .hasCause(failure.getCause());
        }
        assertThat(failure instanceof UnknownOutcomeException)
                .as("%s is what unknown outcomes are", type)
                .isEqualTo(promise == Promise.UNKNOWN);
        boolean first = true;
        for (Throwable cause = failure; cause != null && cause != cause.getCause(); cause = cause.getCause()) {
            String said = String.valueOf(cause.getMessage());
            if (promise == Promise.UNKNOWN) {
                assertThat(said).doesNotContainPattern(IS_NOT);
                assertThat(cause).isNotInstanceOf(TransientDataAccessException.class);
                if (first) {
                    assertThat(said).containsPattern(MAY_BE).contains("again with the same arguments");
                }
            } else {
                assertThat(said).doesNotContainPattern(MAY_BE);
                assertThat(cause).isNotInstanceOf(UnknownOutcomeException.class);
            }
            first = false;
        }
    }

    /** The only end of the operation's writes. */
    private void ended(String operation, String outcome) {
        assertThat(meters.get("surewrite.write").tag("operation", operation).timers())
                .singleElement()
                .satisfies(timer -> {
                    assertThat(timer.getId().getTag("outcome")).isEqualTo(outcome);
                    assertThat(timer.count()).as(operation).isEqualTo(1);
                });
    }

    private void count(String meter, String tag, String value) {
        double count = meters.get(meter).tag(tag, value).meters().stream()
                .mapToDouble(counted -> counted.measure().iterator().next().getValue())
                .sum();
        assertThat(count).as("%s of %s", meter, value).isEqualTo(1);
    }

    @Table("leaf")
    record Leaf(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String tree,

            @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED) @Nullable
            UUID id,

            String color,

            @Nullable String wood) {}

    @Table("playlist")
    record Playlist(@PrimaryKey UUID id, List<String> songs) {}

    @Table("tagged")
    record Tagged(@PrimaryKey UUID id, Set<String> tags) {}

    @Table("visits")
    record Visits(@PrimaryKey UUID id, long seen) {}

    @Table("note")
    record Note(@PrimaryKey int id, String text) {}

    @Idempotent
    interface Notes extends CassandraRepository<Note, Integer> {}

    interface Counts extends CassandraRepository<Note, Integer> {

        @Idempotent
        @Query("UPDATE visits SET seen = seen + 1 WHERE id = ?0")
        void count(UUID id);
    }

    static class Nameless {
        @WithLease(key = "#nothing")
        public void never() {}
    }

    static class Impossible {
        @Idempotent(attempts = 0)
        public void never() {}
    }
}
