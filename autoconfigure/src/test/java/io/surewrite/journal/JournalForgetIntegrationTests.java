package io.surewrite.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.journal.AttributeJournal.EntityState;
import io.surewrite.journal.AttributeJournal.JournalEntry;
import io.surewrite.test.CassandraTest;
import io.surewrite.write.ConditionalWrite;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.core.cql.CqlTemplate;

/** Erasure: whatever fails, and whoever records meanwhile, nothing is left, and the entity can begin again. */
class JournalForgetIntegrationTests extends CassandraTest {

    private static final Instant MAY = Instant.parse("2026-05-10T08:00:00Z");
    private static final Instant JUNE = Instant.parse("2026-06-10T08:00:00Z");

    private final String id = UUID.randomUUID().toString();
    private final AttributeJournal journal = JournalOn.session(session).create();

    @BeforeAll
    static void createTables() {
        application().withPropertyValues("surewrite.journal.enabled=true").run(context -> {
            AttributeJournal fresh = context.getBean(AttributeJournal.class);
            fresh.record("first", Map.of("name", "Ann"), MAY);
            fresh.forget("first");
            assertThat(rowsOf("first")).as("fresh tables know of lives").isEmpty();
        });
    }

    @Test
    void leavesNothingBehindAndLetsTheEntityBeginAgain() {
        for (int life = 0; life < 3; life++) {
            journal.record(id, Map.of("name", "Ann", "age", 7), MAY);
            journal.record(id, Map.of("name", "Eve"), JUNE);
            assertThat(journal.history(id, "name", null, 10)).hasSize(2);
            assertThat(value(journal.current(id))).isEqualTo("Eve");
            assertThat(value(journal.asOf(id, JUNE.minusSeconds(1)))).isEqualTo("Ann");

            JournalOn.session(session).create().forget(id);

            assertThat(rowsOf(id)).isEmpty();
            assertForgotten();
            journal.forget(id);
        }
    }

    /** The answer to the first attempt was lost, and its copy comes when all is over. */
    @Test
    void doesNotBeginALifeAgainThatWasErased() {
        List<ConditionalWrite> sent = new ArrayList<>();
        AtomicReference<ConditionalWrites> real = new AtomicReference<>();
        JournalOn.session(session)
                .writes(writes -> {
                    real.set(writes);
                    return (write, timeout) -> {
                        sent.add(write);
                        return writes.execute(write, timeout);
                    };
                })
                .create()
                .record(id, Map.of("name", "Ann"), MAY);
        journal.forget(id);

        sent.forEach(write -> real.get()
                .execute(write, Duration.ofSeconds(10))
                .toCompletableFuture()
                .join());

        assertThat(rowsOf(id)).isEmpty();
        journal.record(id, Map.of("name", "Ann"), MAY);
        assertThat(value(journal.asOf(id, MAY))).isEqualTo("Ann");
    }

    @Test
    void forgetsEntriesThatClocksOfTheFutureMade() {
        Instant future = Instant.now().plus(Duration.ofDays(400));
        JournalOn.session(session)
                .clock(java.time.Clock.fixed(future, java.time.ZoneOffset.UTC))
                .create()
                .record(id, Map.of("name", "Ann"), future);

        journal.forget(id);

        assertThat(rowsOf(id)).isEmpty();
    }

    /** Fails before one step after the other, and after it. */
    @Test
    void goesOnWhereItStopped() {
        int steps = 0;
        for (boolean reached = true; reached; steps++) {
            for (boolean after : List.of(false, true)) {
                journal.record(id, Map.of("name", "Ann"), MAY);
                journal.record(id, Map.of("name", "Eve"), JUNE);
                reached = false;
                try {
                    journal(steps, () -> requireAnswer(after), () -> requireAnswer(false))
                            .forget(id);
                } catch (IllegalStateException | UnknownOutcomeException lost) {
                    reached = true;
                }
                String current = value(journal.current(id));
                List<JournalEntry> history = journal.history(id, "name", null, 10);
                assertThat(history).as("all or nothing, step %d", steps).hasSize(current == null ? 0 : 2);
                assertThat(value(journal.asOf(id, JUNE))).isEqualTo(current);
                if (after) { // whoever records, resumes
                    journal.record(id, Map.of("name", "Ida"), JUNE.plusSeconds(1));
                    assertThat(journal.history(id, "name", null, 10)).hasSize(current == null ? 1 : 3);
                }
                journal.forget(id);
                assertThat(rowsOf(id)).as("step %d", steps).isEmpty();
            }
        }
        assertThat(steps).isGreaterThan(6);
    }

    /** Stops a recording before each of its requests, and erases the entity meanwhile. */
    @Test
    void erasesWhatIsRecordedMeanwhileOrLetsItBegin() {
        for (boolean late : List.of(false, true)) {
            boolean reached = true;
            int steps = 0;
            for (; reached; steps++) {
                journal.record(id, Map.of("name", "Ann"), MAY);
                journal.record(id, Map.of("name", "Eve"), JUNE);
                AtomicBoolean hit = new AtomicBoolean();
                Instant at = late ? MAY.plusSeconds(1) : JUNE.plus(Duration.ofDays(40));
                Runnable forget = () -> {
                    hit.set(true);
                    JournalOn.session(session).create().forget(id);
                };
                journal(steps, forget, () -> {}).record(id, Map.of("name", "Ida"), at);
                reached = hit.get();

                List<JournalEntry> left = journal.history(id, "name", null, 10);
                if (!reached) {
                    assertThat(left).hasSize(3);
                } else if (left.isEmpty()) {
                    assertThat(rowsOf(id)).as("step %d", steps).isEmpty();
                } else {
                    assertThat(left)
                            .as("step %d", steps)
                            .extracting(JournalEntry::at)
                            .containsExactly(at);
                    assertThat(value(journal.current(id))).isEqualTo("Ida");
                    assertThat(value(journal.asOf(id, Instant.now()))).isEqualTo("Ida");
                }
                journal.forget(id);
                assertThat(rowsOf(id)).as("step %d", steps).isEmpty();
            }
            assertThat(steps).isGreaterThan(3);
        }
    }

    private void assertForgotten() {
        assertThat(journal.current(id).attributes()).isEmpty();
        assertThat(journal.asOf(id, Instant.now()).attributes()).isEmpty();
        assertThat(journal.history(id, "name", null, 10)).isEmpty();
    }

    private static String value(EntityState state) {
        return state.value("name").map(value -> String.valueOf(value.value())).orElse(null);
    }

    /** But for the mark that goes after a day. */
    private static List<Row> rowsOf(String entity) {
        List<Row> rows = new ArrayList<>();
        rows.addAll(session.execute("SELECT * FROM surewrite_journal WHERE entity = ? ALLOW FILTERING", entity)
                .all());
        for (Row row : session.execute(
                "SELECT kind, generation, value, at, TTL(generation) AS seconds FROM surewrite_journal_state WHERE entity = ?",
                entity)) {
            boolean mark = row.getInt("seconds") > 0
                    && "?".equals(row.getString("generation"))
                    && row.isNull("value")
                    && row.isNull("at");
            if (!mark) {
                rows.add(row);
            }
        }
        return rows;
    }

    private static void requireAnswer(boolean answered) {
        if (!answered) {
            throw new IllegalStateException("lost");
        }
    }

    /** A journal at one of whose requests, the first being 0, something else happens. */
    private static AttributeJournal journal(int step, Runnable before, Runnable after) {
        AtomicInteger left = new AtomicInteger(step);
        return JournalOn.session(session)
                .operations(new CqlTemplate(session) {
                    @Override
                    public ResultSet queryForResultSet(Statement<?> statement) {
                        boolean now = left.getAndDecrement() == 0;
                        if (now) {
                            before.run();
                        }
                        ResultSet answer = super.queryForResultSet(statement);
                        if (now) {
                            after.run();
                        }
                        return answer;
                    }
                })
                .writes(writes -> (write, timeout) -> {
                    boolean now = left.getAndDecrement() == 0;
                    try {
                        if (now) {
                            before.run();
                        }
                        WriteOutcome outcome = writes.execute(write, timeout)
                                .toCompletableFuture()
                                .join();
                        if (now) {
                            after.run();
                        }
                        return CompletableFuture.completedFuture(outcome);
                    } catch (IllegalStateException lost) {
                        return CompletableFuture.completedFuture(new WriteOutcome.Unknown(lost));
                    }
                })
                .create();
    }
}
