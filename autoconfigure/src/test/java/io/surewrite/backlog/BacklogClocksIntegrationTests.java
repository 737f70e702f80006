package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.surewrite.write.WriteScope;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is too old, expired or decided ahead of time is never done, whichever clock is wrong; what lives is. */
class BacklogClocksIntegrationTests extends BacklogTest {

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
        backlog = over(new SqliteBacklogStore(directory, 1_000, 1_000_000, false), quick(), setBack);
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
        backlog = over(cluster, new SqliteBacklogStore(directory, 1_000, 1_000_000, false), quick(), Clock.systemUTC());
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
        backlog = over(new SqliteBacklogStore(directory, 1_000, 1_000_000, false), quick(), ahead);
        PreparedStatement insert = session.prepare(INSERT + " USING TTL ?");
        WriteScope.at(micros(Instant.now())).call(() -> backlog.put("note", insert.bind(1, "ten minutes", 600)));
        awaitDrained();
        assertThat(note(1).getInt("ttl")).isBetween(500, 601);
        assertThat(expired).hasValue(0);
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
}
