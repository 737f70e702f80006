package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.surewrite.backlog.StoredWriteBacklog.BacklogSettings;
import io.surewrite.backlog.WriteBacklog.BacklogSize;
import io.surewrite.internal.session.ForgottenStatements;
import io.surewrite.testsupport.InEachCell;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What is put into the backlog, and what the server has of it afterwards. */
@InEachCell(InEachCell.Subject.BACKLOG)
@ExtendWith(OutputCaptureExtension.class)
class WriteBacklogIntegrationTests extends BacklogTest {

    @Test
    void doesAWriteAtTheTimeOfItsDecision() {
        long decided = micros(Instant.now().minusSeconds(60));
        WriteScope.at(decided)
                .call(() -> backlog.put("note", session.prepare(INSERT).bind(1, "kept")));
        awaitDrained();
        Row row = note(1);
        assertThat(row.getString("text")).isEqualTo("kept");
        assertThat(row.getLong("written")).isEqualTo(decided);
        assertThat(timestamps)
                .as("of its spans")
                .containsOnly(
                        Map.entry("surewrite.backlog.keep", String.valueOf(decided)),
                        Map.entry("surewrite.backlog.replay", String.valueOf(decided)));
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

    /** A node that cannot read who may do what refuses everything; others of the cluster may be back already. */
    @Test
    void waitsWhileTheClusterSaysThatItMayNot() {
        session.execute("CREATE TABLE other (id int PRIMARY KEY)");
        backlog.close();
        AtomicBoolean refusing = new AtomicBoolean(true);
        AtomicInteger refused = new AtomicInteger();
        CqlSession halfBack = failing(() -> {
            if (!refusing.get()) {
                return null;
            }
            refused.incrementAndGet();
            Node node = session.getMetadata().getNodes().values().iterator().next();
            return new UnauthorizedException(
                    node, "User app has no MODIFY permission on <table note> or any of its parents");
        });
        backlog = over(
                halfBack,
                new SqliteBacklogStore(directory, 1_000, 1_000_000, false),
                new BacklogSettings(MARGIN, 32, Duration.ofMillis(5), Duration.ofSeconds(1)),
                Clock.systemUTC());
        for (int id = 0; id < 40; id++) { // more than have their turns at a time, and than had them one a second
            backlog.put("note", SimpleStatement.newInstance(INSERT, id, "kept"));
        }
        backlog.put("other", SimpleStatement.newInstance("INSERT INTO other (id) VALUES (1)"));
        await().until(() -> backlog.size().entries() == 40);
        await().until(() -> refused.get() > 60);
        assertThat(session.execute("SELECT id FROM other").all()).hasSize(1);
        refusing.set(false);
        awaitDrained();
        assertThat(note(5).getString("text")).isEqualTo("kept");
    }

    /** The session, whose writes of notes fail while there is a failure. */
    private static CqlSession failing(Supplier<@Nullable Throwable> failures) {
        return (CqlSession) Proxy.newProxyInstance(
                CqlSession.class.getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    boolean ofNotes = method.getName().equals("executeAsync")
                            && String.valueOf(textOf(arguments[0])).contains(" note ");
                    Throwable failure = ofNotes ? failures.get() : null;
                    return failure == null
                            ? method.invoke(session, arguments)
                            : CompletableFuture.failedFuture(failure);
                });
    }

    private static @Nullable String textOf(Object statement) {
        return statement instanceof BoundStatement bound
                ? bound.getPreparedStatement().getQuery()
                : statement instanceof SimpleStatement simple ? simple.getQuery() : null;
    }

    @Test
    void refusesWhatNoServerTakes() {
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(() -> backlog.put("note", SimpleStatement.newInstance(INSERT, 1, "x".repeat(16 << 20))))
                .withMessageContainingAll("16777", "more than a server takes");
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
        SimpleStatement named = SimpleStatement.newInstance(
                "INSERT INTO note (id, text) VALUES (:id, :text)", Map.of("text", "named", "id", 2));
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(() -> backlog.put("note", named))
                .withMessageContaining("its values are given by name. Fix: ");
        awaitDrained();
        assertThat(note(1).isNull("text")).isTrue();
        assertThat(note(1).getSet("tags", String.class)).containsExactly("old");
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
        assertThat(letters.get(1).detail()).contains("text", "correct the schema");
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
        assertThatExceptionOfType(BacklogException.class)
                .isThrownBy(() -> backlog.put("note", SimpleStatement.newInstance(cql)))
                .withMessageContainingAll("note cannot be kept", reason);
        assertThat(backlog.size().entries()).isZero();
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
}
