package io.surewrite.internal.lwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.write.ConditionalWrite;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.WriteOutcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract on a real server, behind a network that loses what it is told to lose. */
class ConditionalWritesIntegrationTests extends CassandraTest {

    private final String id = UUID.randomUUID().toString();
    private final Queue<ConditionalWritesContract.Fate> fates = new ArrayDeque<>();
    private final List<Statement<?>> late = new ArrayList<>();
    private final SettlingConditionalWrites writes = new SettlingConditionalWrites(
            this::send,
            pause -> CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS),
            new Random(1),
            System::nanoTime,
            ObservationRegistry.NOOP);

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE IF NOT EXISTS held (id text PRIMARY KEY, holder text, fence bigint)");
    }

    private synchronized CompletionStage<AsyncResultSet> send(Statement<?> statement) {
        ConditionalWritesContract.Fate fate = fates.size() > 1 ? fates.remove() : fates.element();
        CompletableFuture<AsyncResultSet> lost = CompletableFuture.failedFuture(new DriverTimeoutException("lost"));
        return switch (fate) {
            case ANSWERED -> session.executeAsync(statement);
            case REQUEST_LOST -> lost;
            case ANSWER_LOST -> session.executeAsync(statement).thenCompose(answer -> lost);
            case LATE -> {
                late.add(statement);
                yield lost;
            }
        };
    }

    @Test
    void takesNoTimestampFromItsClient() {
        assertThatExceptionOfType(InvalidQueryException.class)
                .isThrownBy(() -> session.execute(
                        "UPDATE held USING TIMESTAMP 5 SET holder = 'a' WHERE id = 'b' IF holder = null"));
        session.execute(SimpleStatement.newInstance("UPDATE held SET holder = 'a' WHERE id = ? IF holder = null", id)
                .setQueryTimestamp(5));
        assertThat(session.execute("SELECT WRITETIME(holder) FROM held WHERE id = ?", id)
                        .one()
                        .getLong(0))
                .isGreaterThan(5);
    }

    @Nested
    class OnCassandra extends ConditionalWritesContract {

        @Override
        Known take(String token, Fate... how) {
            return settle(token, how, "UPDATE held SET holder = ? WHERE id = ? IF holder = null", token, id);
        }

        @Override
        Known free(String token, Fate... how) {
            return settle(null, how, "UPDATE held SET holder = null WHERE id = ? IF holder = ?", id, token);
        }

        @Override
        Known write(String token, long fence, Fate... how) {
            return settle(
                    token,
                    how,
                    "UPDATE held SET holder = ?, fence = ? WHERE id = ? IF fence < ? AND holder != 'none'",
                    token,
                    fence,
                    id,
                    fence);
        }

        private Known settle(@Nullable String token, Fate[] how, String cql, Object... values) {
            fates.clear();
            fates.addAll(List.of(how));
            ConditionalWrite write = new ConditionalWrite(
                    SimpleStatement.newInstance(cql, values),
                    row -> token != null && token.equals(row.getString("holder")));
            WriteOutcome outcome = writes.execute(
                            write, Duration.ofMillis(how[how.length - 1] == Fate.ANSWERED ? 20_000 : 300))
                    .toCompletableFuture()
                    .join();
            if (outcome instanceof WriteOutcome.Rejected rejected) {
                Row row = rejected.row();
                return new Known(End.REJECTED, row == null ? null : shown(row));
            }
            return new Known(outcome instanceof WriteOutcome.Applied ? End.APPLIED : End.UNKNOWN, null);
        }

        private Shown shown(Row row) {
            return new Shown(
                    row.getString("holder"),
                    row.getColumnDefinitions().contains("fence") ? row.get("fence", Long.class) : null);
        }

        @Override
        void lateOnesArrive() {
            late.forEach(session::execute);
            late.clear();
        }

        @Override
        void begin(long fence) {
            session.execute("UPDATE held SET fence = ? WHERE id = ? IF holder != null", fence, id);
        }

        @Override
        Shown row() {
            Row row = session.execute(SimpleStatement.newInstance("SELECT holder, fence FROM held WHERE id = ?", id)
                            .setExecutionProfileName(ConditionalWrites.PROFILE))
                    .one();
            return row == null ? new Shown(null, null) : shown(row);
        }
    }
}
