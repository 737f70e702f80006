package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.surewrite.actuate.BacklogHealthIndicator;
import io.surewrite.backlog.replay.BacklogSession;
import io.surewrite.backlog.replay.BacklogSettings;
import io.surewrite.backlog.replay.EntryCodec;
import io.surewrite.backlog.replay.StoredWriteBacklog;
import io.surewrite.backlog.store.SqliteBacklogStore;
import io.surewrite.backlog.store.TestDisk;
import io.surewrite.cql.AttemptNotes;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.cql.WriteReceipt;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.cql.hold.WriteHold;
import io.surewrite.cql.hold.WriteHolds;
import io.surewrite.cql.session.ForgottenStatements;
import io.surewrite.repository.BacklogInspector;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.InEachCell;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What is put into the backlog, and what the server has of it afterwards. */
@InEachCell(InEachCell.Subject.BACKLOG)
@ExtendWith(OutputCaptureExtension.class)
class WriteBacklogIntegrationTests extends CassandraTest {

    private static final Duration MARGIN = Duration.ofSeconds(2);
    private static final String INSERT = "INSERT INTO note (id, text) VALUES (?, ?)";

    @TempDir
    private Path directory;

    private final AtomicInteger kept = new AtomicInteger();
    private final AtomicInteger expired = new AtomicInteger();
    private final AtomicInteger replayed = new AtomicInteger();
    private StoredWriteBacklog backlog;

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE brief_note (id int PRIMARY KEY, text text) WITH gc_grace_seconds = 4");
        session.execute("CREATE TABLE ageing (id int PRIMARY KEY, text text) WITH default_time_to_live = 60");
        session.execute("CREATE TABLE graceless (id int PRIMARY KEY, text text) WITH gc_grace_seconds = 0");
        session.execute("CREATE TABLE visits (id int PRIMARY KEY, n counter)");
    }

    @BeforeEach
    void openOverAnEmptyTable() {
        // Not emptied: what was decided before that is not replayed.
        session.execute("DROP TABLE IF EXISTS note");
        session.execute("CREATE TABLE note (id int PRIMARY KEY, text text, tags set<text>, links list<text>)");
        open();
    }

    private void open() {
        backlog = over(new SqliteBacklogStore(directory, 1_000, 1_000_000));
    }

    private StoredWriteBacklog over(BacklogStore store) {
        return over(store, quick());
    }

    private static BacklogSettings quick() {
        return new BacklogSettings(
                MARGIN, 4, 0, Duration.ofMillis(20), Duration.ofMillis(100), 3, Duration.ofSeconds(5));
    }

    private StoredWriteBacklog over(BacklogStore store, BacklogSettings settings) {
        return over(store, settings, Clock.systemUTC());
    }

    private StoredWriteBacklog over(BacklogStore store, BacklogSettings settings, Clock clock) {
        return over(session, store, settings, clock);
    }

    private StoredWriteBacklog over(CqlSession to, BacklogStore store, BacklogSettings settings, Clock clock) {
        return new StoredWriteBacklog(
                List.of(new BacklogSession("", to, new BacklogInspector(() -> session))),
                store,
                settings,
                new BacklogListener() {
                    @Override
                    public void kept(String operation) {
                        kept.incrementAndGet();
                    }

                    @Override
                    public void expired(String operation) {
                        expired.incrementAndGet();
                    }

                    @Override
                    public void replayed(String operation, Duration waited) {
                        replayed.incrementAndGet();
                    }
                },
                clock);
    }

    @AfterEach
    void close() {
        backlog.close();
    }

    @Test
    void doesAWriteAtTheTimeOfItsDecision() {
        long decided = micros(Instant.now().minusSeconds(60));
        WriteScope.at(decided)
                .call(() -> backlog.put("note", session.prepare(INSERT).bind(1, "kept")));
        awaitDrained();
        Row row = note(1);
        assertThat(row.getString("text")).isEqualTo("kept");
        assertThat(row.getLong("written")).isEqualTo(decided);
    }

    @Test
    void refusesAWriteUnderALease() {
        WriteHold lease = new WriteHold() {
            @Override
            public String name() {
                return "item:1";
            }

            @Override
            public boolean isHeld() {
                return true;
            }

            @Override
            public boolean permits(long timestamp) {
                return true;
            }

            @Override
            public RuntimeException refusal(long timestamp) {
                return new IllegalStateException("held");
            }
        };
        assertThatExceptionOfType(BacklogRefusedException.class)
                .isThrownBy(() -> WriteHolds.call(
                        lease, () -> backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "kept"))))
                .withMessageContaining("note cannot be kept in the backlog: it is made under lease item:1");
        assertThat(backlog.size().entries()).isZero();
    }

    @Test
    void keepsNothingForACallerWhoHasGivenUp() {
        WriteScope scope = WriteScope.at(micros(Instant.now()));
        scope.statements().abandon();
        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(
                        () -> scope.call(() -> backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "kept"))));
        assertThat(kept).hasValue(0);
    }

    @Test
    void countsInALogicalWriteWhatItHasKept() {
        WriteScope scope = WriteScope.at(micros(Instant.now()));
        Throwable refused = catchThrowable(() -> scope.call(
                () -> backlog.put("visit", SimpleStatement.newInstance("UPDATE visits SET n = n + 1 WHERE id = 1"))));
        assertThat(refused).isInstanceOf(BacklogRefusedException.class);
        assertThat(scope.statements().tally(refused, failure -> FailureKind.OTHER))
                .isEqualTo(new AttemptNotes.Tally(0, 0));
        scope.call(() -> {
            SimpleStatement applied = WriteScope.apply(SimpleStatement.newInstance(INSERT, 1, "kept"));
            backlog.put("note", applied);
            return backlog.put("note", applied);
        });
        assertThat(scope.statements().tally(refused, failure -> FailureKind.OTHER))
                .isEqualTo(new AttemptNotes.Tally(2, 0));
    }

    /** A node that cannot read who may do what refuses everything; others of the cluster may be back already. */
    @Test
    void waitsWhileTheClusterSaysThatItMayNot() {
        backlog.close();
        AtomicInteger refusals = new AtomicInteger(12);
        AtomicInteger refused = new AtomicInteger();
        CqlSession halfBack = (CqlSession) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("executeAsync")
                            && String.valueOf(textOf(arguments[0])).contains(" note ")
                            && refusals.getAndDecrement() > 0) {
                        refused.incrementAndGet();
                        Node node = session.getMetadata()
                                .getNodes()
                                .values()
                                .iterator()
                                .next();
                        return CompletableFuture.failedFuture(new UnauthorizedException(
                                node, "User app has no MODIFY permission on <table note> or any of its parents"));
                    }
                    return method.invoke(session, arguments);
                });
        backlog = new StoredWriteBacklog(
                List.of(new BacklogSession("", halfBack, new BacklogInspector(() -> session))),
                new SqliteBacklogStore(directory, 1_000, 1_000_000),
                new BacklogSettings(
                        MARGIN, 4, 0, Duration.ofMillis(5), Duration.ofMillis(10), 3, Duration.ofSeconds(5)),
                BacklogListener.NONE,
                Clock.systemUTC());
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "kept"));
        backlog.put("brief", SimpleStatement.newInstance("INSERT INTO brief_note (id, text) VALUES (?, ?)", 1, "x"));
        awaitDrained();
        assertThat(refused).as("more often than it may fail").hasValue(12);
        assertThat(backlog.deadLetters(0, 10)).isEmpty();
        assertThat(note(1).getString("text")).isEqualTo("kept");
    }

    private static @Nullable String textOf(Object statement) {
        return statement instanceof BoundStatement bound
                ? bound.getPreparedStatement().getQuery()
                : statement instanceof SimpleStatement simple ? simple.getQuery() : null;
    }

    @Test
    void saysThatItIsDownWhenTheDiskFailed() {
        backlog.close();
        TestDisk disk = new TestDisk();
        disk.flushes.release(1_000);
        backlog = over(disk.store(directory));
        BacklogHealthIndicator health =
                new BacklogHealthIndicator(backlog, Duration.ofDays(1), Duration.ofDays(2), Clock.systemUTC());
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "one"));
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        disk.broken = true;
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> backlog.put("note", SimpleStatement.newInstance(INSERT, 2, "two")));
        assertThatExceptionOfType(BacklogException.class)
                .as("refused before it was written")
                .isThrownBy(() -> backlog.put("note", SimpleStatement.newInstance(INSERT, 3, "three")))
                .withMessageContaining("until a restart");
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails().get("error").toString()).contains("did not confirm", "until a restart");
    }

    @Test
    void saysThatItIsDegradedWhileItIsFull() {
        backlog.close();
        backlog = over(new SqliteBacklogStore(directory, 1, 1_000_000), stopped());
        BacklogHealthIndicator health =
                new BacklogHealthIndicator(backlog, Duration.ofDays(1), Duration.ofDays(2), Clock.systemUTC());
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "one"));
        assertThat(health.health().getStatus()).isEqualTo(BacklogHealthIndicator.DEGRADED);
        assertThat(health.health().getDetails().get("refused").toString()).contains("The backlog is full");
    }

    @Test
    void isDownAfterALossUntilSomebodyDiscardsItsLetter() throws IOException {
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "one"));
        awaitDrained();
        backlog.close();
        open(stopped());
        backlog.put("note", SimpleStatement.newInstance(INSERT, 2, "two"));
        backlog.close();
        Files.delete(directory.resolve("backlog.db"));
        assertThatExceptionOfType(BacklogDamagedException.class)
                .isThrownBy(this::open)
                .withMessageContainingAll("backlog.db is missing", "At most 1");
        backlog = over(new SqliteBacklogStore(directory, 1_000, 1_000_000, true));
        BacklogHealthIndicator health =
                new BacklogHealthIndicator(backlog, Duration.ofDays(1), Duration.ofDays(2), Clock.systemUTC());
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsEntry("lost", 1L);
        List<Long> letters =
                backlog.deadLetters(0, 10).stream().map(DeadLetter::id).toList();
        assertThat(letters).hasSize(1);
        assertThat(backlog.replayDeadLetters(letters))
                .as("nothing is left to replay")
                .isZero();
        assertThat(backlog.discardDeadLetters(letters)).isEqualTo(1);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    /** A body that does not fit its checksum is never sent, whoever changed it while a process had the file. */
    @Test
    void givesUpWhatIsNotWhatWasKept() {
        backlog.close();
        SqliteBacklogStore store = new SqliteBacklogStore(directory, 1_000, 1_000_000);
        byte[] body = EntryCodec.sealed(new byte[100]);
        body[3]++;
        store.put(new BacklogStore.Key("note", null), Instant.now(), body).join();
        backlog = over(store);
        await().until(() -> backlog.size().deadLetters() == 1);
        assertThat(backlog.deadLetters(0, 1).get(0).reason()).isEqualTo(DeadLetter.Reason.DAMAGED);
        assertThat(backlog.size().lost()).isEqualTo(1);
    }

    @Test
    void refusesWhatNoServerTakes() {
        assertThatExceptionOfType(BacklogRefusedException.class)
                .isThrownBy(() -> backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "x".repeat(16 << 20))))
                .withMessageContainingAll("16777", "more than a server takes", "surewrite.backlog.max-entry-size");
    }

    @Test
    void givesUpWhatItsTableHasForgotten() {
        session.execute("CREATE TABLE emptied (id int PRIMARY KEY)");
        session.execute("CREATE TABLE made_anew (id int PRIMARY KEY)");
        backlog.close();
        open(stopped());
        backlog.put("emptied", SimpleStatement.newInstance("INSERT INTO emptied (id) VALUES (1)"));
        backlog.put("made_anew", SimpleStatement.newInstance("INSERT INTO made_anew (id) VALUES (1)"));
        session.execute("TRUNCATE emptied");
        session.execute("DROP TABLE made_anew");
        session.execute("CREATE TABLE made_anew (id text PRIMARY KEY)"); // of another type, too
        backlog.put("emptied", SimpleStatement.newInstance("INSERT INTO emptied (id) VALUES (2)"));
        backlog.close();
        open();
        await().until(() -> backlog.size().entries() == 0);
        List<DeadLetter> letters = backlog.deadLetters(0, 10);
        assertThat(letters).extracting(DeadLetter::reason).containsOnly(DeadLetter.Reason.TABLE_REPLACED);
        assertThat(letters)
                .extracting(DeadLetter::detail)
                .satisfiesExactly(
                        detail -> assertThat(detail).contains("emptied was truncated"),
                        detail -> assertThat(detail).contains("made_anew was dropped and created again"));
        assertThat(session.execute("SELECT id FROM emptied").all())
                .extracting(row -> row.getInt(0))
                .containsExactly(2);
        assertThat(session.execute("SELECT id FROM made_anew").all()).isEmpty();
    }

    /** A column cannot change its type; the server refuses one that comes back with another. */
    @Test
    void noColumnComesBackWithAnotherType() {
        session.execute("CREATE TABLE retyped (id int PRIMARY KEY, v int)");
        session.execute("ALTER TABLE retyped DROP v");
        assertThatThrownBy(() -> session.execute("ALTER TABLE retyped ADD v text"))
                .hasMessageContaining("previously dropped column");
    }

    @Test
    void givesUpWhatAClockThatWasAheadHasDecided() {
        long ahead = micros(Instant.now().plusSeconds(3_600));
        WriteScope.at(ahead).call(() -> backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "early")));
        await().until(() -> backlog.size().deadLetters() == 1);
        DeadLetter letter = backlog.deadLetters(0, 1).get(0);
        assertThat(letter.reason()).isEqualTo(DeadLetter.Reason.AHEAD_OF_TIME);
        assertThat(letter.detail()).contains("the clock was ahead", "decide anew");
        session.execute(INSERT, 1, "newer");
        assertThat(note(1).getString("text")).isEqualTo("newer");
    }

    /** With its own clock alone it would take the write for young. */
    @Test
    void knowsWhatIsTooOldByTheClockOfTheCluster() {
        session.execute("CREATE TABLE IF NOT EXISTS short_note (id int PRIMARY KEY) WITH gc_grace_seconds = 1000");
        Instant decided = Instant.now().minusSeconds(2_000);
        Clock setBack = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(-1_990));
        backlog.close();
        backlog = over(new SqliteBacklogStore(directory, 1_000, 1_000_000), quick(), setBack);
        WriteScope.at(micros(decided))
                .call(() -> backlog.put("note", SimpleStatement.newInstance("INSERT INTO short_note (id) VALUES (1)")));
        await().until(() -> backlog.size().deadLetters() == 1);
        assertThat(backlog.deadLetters(0, 1).get(0).reason()).isEqualTo(DeadLetter.Reason.TOO_OLD);
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "done rightly"));
        await().until(() -> backlog.size().entries() == 0);
        assertThat(note(1).getString("text")).isEqualTo("done rightly");
    }

    /**
     * The first node that is asked has a clock of its own, and two others have not: three nodes as the driver sees them, all of
     * them the one server.
     */
    @ParameterizedTest
    @ValueSource(strings = {"+ 9h", "- 9h"})
    void givesUpNothingByTheWrongClockOfOneNode(String off) {
        session.execute("CREATE TABLE IF NOT EXISTS hour_note (id int PRIMARY KEY) WITH gc_grace_seconds = 3600");
        backlog.close();
        Node wrong = session.getMetadata().getNodes().values().iterator().next();
        Map<UUID, Node> nodes = Stream.of(wrong, likeness(wrong), likeness(wrong))
                .collect(Collectors.toMap(node -> UUID.randomUUID(), node -> node));
        Metadata metadata = (Metadata) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Metadata.class},
                (proxy, method, arguments) ->
                        method.getName().equals("getNodes") ? nodes : method.invoke(session.getMetadata(), arguments));
        AtomicInteger asked = new AtomicInteger();
        CqlSession cluster = (CqlSession) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getMetadata")) {
                        return metadata;
                    }
                    if (method.getName().equals("executeAsync")
                            && arguments[0] instanceof SimpleStatement simple
                            && simple.getQuery().contains("truncated_at")) {
                        asked.incrementAndGet();
                        String its = simple.getNode() == null || wrong.equals(simple.getNode()) ? off : "";
                        return session.executeAsync(
                                simple.setNode(null).setQuery(simple.getQuery().replace("now())", "now()) " + its)));
                    }
                    return method.invoke(session, arguments);
                });
        backlog = over(cluster, new SqliteBacklogStore(directory, 1_000, 1_000_000), quick(), Clock.systemUTC());
        PreparedStatement living = session.prepare(INSERT + " USING TTL ?");
        backlog.put("note", living.bind(1, "an hour", 3_600));
        backlog.put("note", SimpleStatement.newInstance(INSERT, 2, "not ahead"));
        backlog.put("hour", SimpleStatement.newInstance("INSERT INTO hour_note (id) VALUES (3)"));
        awaitDrained();
        assertThat(note(1).getInt("ttl")).isBetween(3_500, 3_601);
        assertThat(note(2).getString("text")).isEqualTo("not ahead");
        assertThat(session.execute("SELECT id FROM hour_note").all()).hasSize(1);
        assertThat(expired).hasValue(0);
        assertThat(asked).as("the others, too").hasValueGreaterThanOrEqualTo(3);
    }

    private static Node likeness(Node node) {
        return (Node) Proxy.newProxyInstance(
                Node.class.getClassLoader(),
                new Class<?>[] {Node.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> method.invoke(node, arguments);
                });
    }

    @Test
    void doesAWriteWhoseStatementTheNodesHaveForgotten() {
        PreparedStatement insert = session.prepare("INSERT INTO note (text, id) VALUES (?, ?)");
        ForgottenStatements.report(session, insert);
        session.execute("ALTER TABLE note ADD later int");
        assertThatThrownBy(() -> session.execute(insert.bind("reported", 7))).matches(ForgottenStatements::isReported);
        assertThat(note(7)).as("nothing was applied").isNull();

        WriteScope.at(micros(Instant.now())).call(() -> backlog.put("note", insert.bind("kept", 7)));
        awaitDrained();
        assertThat(note(7).getString("text")).isEqualTo("kept");
    }

    @Test
    void neverCoversWhatIsNewer() {
        long decided = micros(Instant.now().minusSeconds(60));
        session.execute("INSERT INTO note (id, text) VALUES (1, 'newer')");
        WriteScope.at(decided).call(() -> backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "older")));
        awaitDrained();
        assertThat(note(1).getString("text")).isEqualTo("newer");
    }

    @Test
    void takesItsTimestampWhereTheStatementHasOne() {
        long decided = micros(Instant.now().minusSeconds(30));
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "a").setQueryTimestamp(decided));
        backlog.put("note", session.prepare(INSERT + " USING TIMESTAMP ?").bind(2, "b", decided - 1));
        long before = WriteTimestamps.of(session).next();
        backlog.put("note", SimpleStatement.newInstance(INSERT, 3, "c"));
        awaitDrained();
        assertThat(note(1).getLong("written")).isEqualTo(decided);
        assertThat(note(2).getLong("written")).isEqualTo(decided - 1);
        assertThat(note(3).getLong("written")).isGreaterThan(before);
    }

    @Test
    void keepsNullsAndLeavesOutWhatIsUnset() {
        session.execute("INSERT INTO note (id, text, tags) VALUES (1, 'old', {'old'})");
        PreparedStatement insert = session.prepare("INSERT INTO note (id, text, tags) VALUES (?, ?, ?)");
        backlog.put(
                "note", insert.boundStatementBuilder().setInt(0, 1).setToNull(1).build());
        backlog.put(
                "note",
                SimpleStatement.newInstance(
                        "INSERT INTO note (id, text) VALUES (:id, :text)", Map.of("text", "named", "id", 2)));
        awaitDrained();
        assertThat(note(1).isNull("text")).isTrue();
        assertThat(note(1).getSet("tags", String.class)).containsExactly("old");
        assertThat(note(2).getString("text")).isEqualTo("named");
    }

    @Test
    void keepsABatchTogether() {
        PreparedStatement insert = session.prepare(INSERT);
        long decided = micros(Instant.now().minusSeconds(5));
        backlog.put(
                "notes",
                BatchStatement.newInstance(
                                DefaultBatchType.LOGGED,
                                insert.bind(1, "one"),
                                SimpleStatement.newInstance(INSERT, 2, "two"))
                        .setQueryTimestamp(decided));
        awaitDrained();
        assertThat(note(1).getLong("written")).isEqualTo(decided);
        assertThat(note(2).getLong("written")).isEqualTo(decided);
    }

    @Test
    void givesWhatIsLeftOfTheTimeToLive() {
        long decided = micros(Instant.now().minusSeconds(3_600));
        PreparedStatement insert = session.prepare(INSERT + " USING TTL ?");
        PreparedStatement named = session.prepare("INSERT INTO note (id, text) VALUES (:id, :text) USING TTL :ttl");
        WriteScope.at(decided).call(() -> backlog.put("note", insert.bind(1, "a day", 86_400)));
        WriteScope.at(decided).call(() -> backlog.put("note", named.bind(2, "a day", 86_400)));
        WriteScope.at(decided).call(() -> backlog.put("note", insert.bind(3, "ever", 0)));
        awaitDrained();
        assertThat(note(1).getInt("ttl")).isBetween(86_400 - 3_600 - 10, 86_400 - 3_600 + 1);
        assertThat(note(2).getInt("ttl")).isBetween(86_400 - 3_600 - 10, 86_400 - 3_600 + 1);
        assertThat(note(3).isNull("ttl")).isTrue();
    }

    @Test
    void expiresWhenItWouldHaveExpired() throws Exception {
        long decided = micros(Instant.now().minusSeconds(2));
        PreparedStatement insert = session.prepare(INSERT + " USING TTL ?");
        WriteScope.at(decided).call(() -> backlog.put("note", insert.bind(1, "six seconds", 6)));
        awaitDrained();
        assertThat(note(1)).isNotNull();
        await().atMost(Duration.ofSeconds(6)).until(() -> note(1) == null);
    }

    @Test
    void dropsAndCountsWhatHasExpired() {
        long decided = micros(Instant.now().minusSeconds(10));
        PreparedStatement insert = session.prepare(INSERT + " USING TTL ?");
        WriteScope.at(decided).call(() -> backlog.put("note", insert.bind(1, "short", 9)));
        WriteScope.at(decided)
                .call(() -> backlog.put(
                        "notes",
                        BatchStatement.newInstance(
                                DefaultBatchType.LOGGED, insert.bind(2, "short", 9), insert.bind(3, "long", 90))));
        awaitDrained();
        assertThat(note(1)).isNull();
        assertThat(note(2)).isNull();
        assertThat(note(3).getInt("ttl")).isBetween(70, 81);
        assertThat(expired).hasValue(1);
    }

    /** With its own clock alone it would take the write for expired. */
    @Test
    void keepsWhatLivesByTheClockOfTheCluster() {
        backlog.close();
        Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
        backlog = over(new SqliteBacklogStore(directory, 1_000, 1_000_000), quick(), ahead);
        PreparedStatement insert = session.prepare(INSERT + " USING TTL ?");
        WriteScope.at(micros(Instant.now())).call(() -> backlog.put("note", insert.bind(1, "ten minutes", 600)));
        awaitDrained();
        assertThat(note(1).getInt("ttl")).isBetween(500, 601);
        assertThat(expired).hasValue(0);
    }

    /** A full disk does not let go of what is done: it is not done again, and is taken out when there is room. */
    @Test
    void doesNothingTwiceWhileTheDiskIsFull() {
        FullDisk disk = fullDisk();
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "once"));
        await().until(() -> disk.refused.size() > 3);
        assertThat(backlog.size().entries()).isEqualTo(1);
        disk.full = false;
        awaitDrained();
        assertThat(note(1).getString("text")).isEqualTo("once");
        assertThat(replayed).hasValue(1);
    }

    /** What is done grows, what the disk is asked for does not, and the log says what has changed. */
    @Test
    void asksAFullDiskOnceARoundAndSaysOnceThatItRefuses(CapturedOutput output) {
        backlog.close();
        open(stopped());
        int many = 700;
        for (int i = 0; i < many; i++) {
            backlog.put("note", SimpleStatement.newInstance(INSERT, i, "once"));
        }
        backlog.close();
        FullDisk disk = fullDisk();
        await().until(() -> replayed.get() == many);
        int atOnce = disk.refused.size();
        await().until(() -> disk.refused.size() > atOnce + 3);
        assertThat(atOnce).as("not with each of them").isLessThan(10);
        assertThat(disk.refused).allMatch(asked -> asked <= 256);
        assertThat(backlog.size().entries()).isEqualTo(many);
        assertThat(output).containsOnlyOnce("could not take out writes that are done");
        disk.full = false;
        awaitDrained();
        await().until(() -> output.getOut().contains("takes again what it refused"));
        assertThat(replayed).hasValue(many);
    }

    /** It is counted when it is dropped. */
    @Test
    void countsOnceWhatExpiresWhileTheDiskIsFull() {
        FullDisk disk = fullDisk();
        PreparedStatement insert = session.prepare(INSERT + " USING TTL ?");
        WriteScope.at(micros(Instant.now().minusSeconds(10)))
                .call(() -> backlog.put("note", insert.bind(1, "short", 9)));
        await().until(() -> disk.refused.size() > 3);
        assertThat(expired).hasValue(0);
        disk.full = false;
        awaitDrained();
        assertThat(expired).hasValue(1);
    }

    private FullDisk fullDisk() {
        backlog.close();
        FullDisk disk = new FullDisk();
        SqliteBacklogStore store = new SqliteBacklogStore(directory, 1_000, 1_000_000);
        backlog = over((BacklogStore) Proxy.newProxyInstance(
                BacklogStore.class.getClassLoader(),
                new Class<?>[] {BacklogStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("remove") && disk.full) {
                        disk.refused.add(((List<?>) arguments[0]).size());
                        return CompletableFuture.failedFuture(new BacklogException("the disk is full", null));
                    }
                    return method.invoke(store, arguments);
                }));
        return disk;
    }

    /** Lets nothing go. */
    private static final class FullDisk {

        private volatile boolean full = true;

        /** How much it was to let go, each time. */
        private final List<Integer> refused = new CopyOnWriteArrayList<>();
    }

    @Test
    void neverBringsADeletedRowBack() {
        Instant decided = Instant.now().minusSeconds(3); // of a grace of 4 less a margin of 2
        session.execute("INSERT INTO brief_note (id, text) VALUES (1, 'there')");
        session.execute("DELETE FROM brief_note WHERE id = 1");
        WriteScope.at(micros(decided))
                .call(() -> backlog.put(
                        "note", SimpleStatement.newInstance("INSERT INTO brief_note (id, text) VALUES (1, 'late')")));
        await().until(() -> backlog.size().deadLetters() == 1);
        DeadLetter letter = backlog.deadLetters(0, 10).get(0);
        assertThat(letter.reason()).isEqualTo(DeadLetter.Reason.TOO_OLD);
        assertThat(letter.detail()).contains("could bring deleted data back", "decide anew");
        assertThat(letter.timestamp()).isEqualTo(micros(decided));
        assertThat(session.execute("SELECT * FROM brief_note").all()).isEmpty();

        assertThat(backlog.replayDeadLetters(List.of(letter.id()))).isEqualTo(1);
        await().until(() -> backlog.size().deadLetters() == 1);
    }

    @Test
    void looksAtTheGraceAsItIsWhenItIsReplayed() {
        session.execute("CREATE TABLE shrinking (id int PRIMARY KEY) WITH gc_grace_seconds = 1000");
        backlog.close();
        open(stopped());
        WriteScope.at(micros(Instant.now().minusSeconds(100)))
                .call(() -> backlog.put("note", SimpleStatement.newInstance("INSERT INTO shrinking (id) VALUES (1)")));
        session.execute("ALTER TABLE shrinking WITH gc_grace_seconds = 50");
        backlog.close();
        open();
        await().until(() -> backlog.size().deadLetters() == 1);
    }

    @Test
    void keepsWhatTheServerRejectsWithTheReason() {
        session.execute("CREATE TABLE dropped (id int PRIMARY KEY, text text)");
        session.execute("CREATE TABLE renamed (id int, text text, PRIMARY KEY (id, text))");
        backlog.close();
        open(stopped());
        backlog.put("dropped", SimpleStatement.newInstance("INSERT INTO dropped (id, text) VALUES (?, ?)", 1, "x"));
        backlog.put("renamed", SimpleStatement.newInstance("INSERT INTO renamed (id, text) VALUES (?, ?)", 1, "x"));
        backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "good"));
        session.execute("DROP TABLE dropped");
        session.execute("ALTER TABLE renamed RENAME text TO words");
        backlog.close();
        open();
        await().until(() -> backlog.size().entries() == 0);
        assertThat(note(1).getString("text")).isEqualTo("good");
        List<DeadLetter> letters = backlog.deadLetters(0, 10);
        assertThat(letters).extracting(DeadLetter::reason).containsOnly(DeadLetter.Reason.REJECTED);
        assertThat(letters).extracting(DeadLetter::operation).containsExactly("dropped", "renamed");
        assertThat(letters.get(0).detail()).contains("dropped", "replay it, or discard it");
        assertThat(letters.get(1).detail()).contains("text", "fix the schema");
        assertThat(letters.get(1).statements().get(0).values()).containsExactly("0x00000001", "0x78");

        session.execute("ALTER TABLE renamed RENAME words TO text");
        assertThat(backlog.discardDeadLetters(List.of(letters.get(0).id()))).isEqualTo(1);
        assertThat(backlog.replayDeadLetters(List.of(letters.get(1).id()))).isEqualTo(1);
        await().until(() -> backlog.size().equals(new BacklogSize(0, 0, 0, null, 0)));
        assertThat(session.execute("SELECT text FROM renamed WHERE id = 1")
                        .one()
                        .getString(0))
                .isEqualTo("x");
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of("INSERT INTO note (id) VALUES (1) IF NOT EXISTS", "a condition"),
                Arguments.of("UPDATE visits SET n = n + 1 WHERE id = 1", "counts again"),
                Arguments.of("UPDATE note SET links = links + ['x'] WHERE id = 1", "list"),
                Arguments.of("INSERT INTO note (id, text) VALUES (1, 'x') USING TTL 60", "bind it: USING TTL ?"),
                Arguments.of("INSERT INTO note (id, text) VALUES (1, 'x') USING TIMESTAMP 60", "USING TIMESTAMP ?"),
                Arguments.of("INSERT INTO ageing (id, text) VALUES (1, 'x')", "state it: USING TTL ?"),
                Arguments.of("INSERT INTO graceless (id, text) VALUES (1, 'x')", "gc_grace_seconds = 0"),
                Arguments.of("SELECT * FROM note", "writes no table"),
                Arguments.of("INSERT INTO nowhere (id) VALUES (1)", "no such table"),
                Arguments.of("TRUNCATE note", "only SELECT, INSERT, UPDATE"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refusesWhatMustNotWait(String cql, String reason) {
        assertThatExceptionOfType(BacklogRefusedException.class)
                .isThrownBy(() -> backlog.put("note", SimpleStatement.newInstance(cql)))
                .withMessageContainingAll("note cannot be kept", reason);
        assertThat(backlog.size().entries()).isZero();
    }

    @Test
    void refusesABatchIfAnyPartMustNotWait() {
        Statement<?> batch = BatchStatement.newInstance(
                DefaultBatchType.LOGGED,
                SimpleStatement.newInstance(INSERT, 1, "x"),
                SimpleStatement.newInstance("UPDATE note SET links = links + ['x'] WHERE id = 1"));
        assertThatExceptionOfType(BacklogRefusedException.class).isThrownBy(() -> backlog.put("note", batch));
    }

    @Test
    void changesNothingWhenItIsReplayedTwice() {
        Statement<?> write = SimpleStatement.newInstance(
                        "UPDATE note SET tags = tags + ? WHERE id = ?", java.util.Set.of("a"), 1)
                .setQueryTimestamp(micros(Instant.now()));
        backlog.put("note", write);
        backlog.put("note", write);
        awaitDrained();
        assertThat(note(1).getSet("tags", String.class)).containsExactly("a");
    }

    @Test
    void goesOnWithWhatItFindsOnDisk() {
        backlog.close();
        open(stopped());
        for (int i = 0; i < 600; i++) {
            assertThat(backlog.put("note", SimpleStatement.newInstance(INSERT, i, "n"))
                            .state())
                    .isEqualTo(WriteReceipt.State.KEPT);
        }
        assertThat(backlog.size().entries()).isEqualTo(600);
        backlog.close();
        open();
        awaitDrained();
        assertThat(session.execute("SELECT count(*) FROM note").one().getLong(0))
                .isEqualTo(600);
    }

    /** A backlog over the same directory that replays nothing for a long time, once it has looked and found nothing. */
    private static BacklogSettings stopped() {
        return new BacklogSettings(
                MARGIN, 1, 0, Duration.ofMinutes(5), Duration.ofMinutes(5), 3, Duration.ofSeconds(5));
    }

    private void open(BacklogSettings settings) {
        backlog = new StoredWriteBacklog(
                List.of(new BacklogSession("", session, new BacklogInspector(() -> session))),
                new SqliteBacklogStore(directory, 1_000, 1_000_000),
                settings,
                BacklogListener.NONE,
                Clock.systemUTC());
    }

    /** A busy machine sends some ten writes a second. */
    private void awaitDrained() {
        await().atMost(Duration.ofMinutes(1)).until(() -> backlog.size().entries() == 0);
        assertThat(backlog.deadLetters(0, 1)).isEmpty();
    }

    private static Row note(int id) {
        return session.execute(
                        "SELECT text, tags, writetime(text) AS written, ttl(text) AS ttl FROM note WHERE id = ?", id)
                .one();
    }

    private static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }
}
