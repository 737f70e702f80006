package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.write.WriteScope;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

    /** By its own clock alone it would take what is too old for young, or what lives for expired. */
    @ParameterizedTest
    @ValueSource(ints = {-1_990, 3_600})
    void decidesNothingWhileItsClockIsNotThatOfTheCluster(int seconds) {
        session.execute("CREATE TABLE IF NOT EXISTS short_note (id int PRIMARY KEY) WITH gc_grace_seconds = 1000");
        Clock wrong = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(seconds));
        backlog.close();
        backlog = over(session, new SqliteBacklogStore(directory, 1_000, 1_000_000, false), quick(), wrong);
        WriteScope.at(micros(Instant.now().minusSeconds(2_000)))
                .call(() ->
                        backlog.put("short", SimpleStatement.newInstance("INSERT INTO short_note (id) VALUES (1)")));
        PreparedStatement living = session.prepare(INSERT + " USING TTL ?");
        WriteScope.at(micros(Instant.now())).call(() -> backlog.put("note", living.bind(1, "ten minutes", 600)));
        await().until(() -> "ClockOffsetException".equals(backlog.lastFailure()));
        await().during(Duration.ofMillis(500))
                .until(() -> backlog.size().entries() == 2 && backlog.size().deadLetters() == 0);
        assertThat(note(1)).isNull();

        backlog.close();
        open();
        await().until(() -> backlog.size().entries() == 0);
        assertThat(backlog.deadLetters(0, 10))
                .extracting(DeadLetter::reason)
                .containsExactly(DeadLetter.Reason.TOO_OLD);
        assertThat(note(1).getInt("ttl")).isBetween(500, 601);
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
}
