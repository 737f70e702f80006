package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.MemberTable.Finding;
import io.surewrite.unique.MemberTable.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.dao.TransientDataAccessException;

/**
 * Every request of an insert, a change and a deletion times out, once or from there on: never sent, or in effect, or in
 * effect only when its lease is long over.
 */
class LostAnswersIntegrationTests extends CassandraTest {

    /** They give up before the lease is over. */
    private static final UniqueSettings IMPATIENT = new UniqueSettings(
            Duration.ofSeconds(2),
            Duration.ofMillis(100),
            Duration.ofMillis(300),
            Duration.ofMillis(400),
            Duration.ofMillis(1500),
            false);

    private static final Duration LATE = Duration.ofMillis(3500);
    private static final Duration LONGEST_BLOCKED = IMPATIENT.lease().plusSeconds(1);
    private static final Map<Operation, Integer> REQUESTS =
            Map.of(Operation.INSERT, 2, Operation.CHANGE, 4, Operation.DELETE, 3);

    private static UniqueFixture fixture;
    private static MemberTable members;

    @BeforeAll
    static void createTable() {
        session.execute(MemberTable.DDL);
        fixture = new UniqueFixture(session, UniqueListener.NONE);
        members = new MemberTable(session, fixture);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    /** What becomes of a request that times out. */
    private enum Fate {
        NEVER_SENT,
        ANSWER_LOST,
        LATE
    }

    /** How a call ended. */
    private enum Answer {
        DONE,
        FAILED,
        UNKNOWN
    }

    @Test
    void answersRightOrUnknownWhateverTimesOut() throws Exception {
        List<Callable<Answer>> cases = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            for (int request = 1; request <= REQUESTS.get(operation); request++) {
                for (Fate fate : Fate.values()) {
                    cases.add(new Case(operation, request, fate, false));
                    cases.add(new Case(operation, request, fate, true));
                }
            }
        }
        List<Answer> answers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(cases.size());
        try {
            for (Future<Answer> ended : threads.invokeAll(cases)) {
                answers.add(ended.get());
            }
        } finally {
            threads.shutdown();
        }
        assertThat(answers).hasSize(54).contains(Answer.DONE, Answer.FAILED, Answer.UNKNOWN);
    }

    /** One call, whose requests time out. */
    private static final class Case implements Callable<Answer>, Wire {

        private final Operation operation;
        private final int first;
        private final Fate fate;
        private final boolean allThatFollow;
        private final Queue<CompletableFuture<?>> late = new ConcurrentLinkedQueue<>();
        private final UUID id = UUID.randomUUID();
        private final String before = "before-" + id;
        private final String email;

        Case(Operation operation, int first, Fate fate, boolean allThatFollow) {
            this.operation = operation;
            this.first = first;
            this.fate = fate;
            this.allThatFollow = allThatFollow;
            this.email = operation == Operation.DELETE ? before : "after-" + id;
        }

        @Override
        public String toString() {
            return "%s, request %d%s %s".formatted(operation, first, allThatFollow ? " and all after it" : "", fate);
        }

        @Override
        public CompletionStage<AsyncResultSet> send(
                int number, Statement<?> statement, Supplier<CompletionStage<AsyncResultSet>> request) {
            if (allThatFollow ? number < first : number != first) {
                return request.get();
            }
            CompletableFuture<AsyncResultSet> lost =
                    CompletableFuture.failedFuture(new DriverTimeoutException("planted"));
            if (fate == Fate.ANSWER_LOST) {
                return request.get().thenCompose(answered -> lost);
            }
            if (fate == Fate.LATE) {
                late.add(CompletableFuture.supplyAsync(
                                request, CompletableFuture.delayedExecutor(LATE.toMillis(), TimeUnit.MILLISECONDS))
                        .thenCompose(sent -> sent));
            }
            return lost;
        }

        @Override
        public Answer call() throws Exception {
            if (operation != Operation.INSERT) {
                members.insert(id, before);
            }
            Answer answer = run();
            UUID rival = UUID.randomUUID();
            Finding finding = members.want(email, rival, LONGEST_BLOCKED);
            CompletableFuture.allOf(late.toArray(CompletableFuture<?>[]::new)).join();

            boolean mayBeDeletedSince = operation == Operation.DELETE && answer == Answer.UNKNOWN;
            if (finding == Finding.FREE) {
                assertThat(members.carriers(email)).as(toString()).containsExactly(rival);
            } else if (!mayBeDeletedSince) {
                assertThat(members.carriers(email)).as(toString()).containsExactly(id);
            }
            boolean has = operation != Operation.DELETE;
            if (answer == Answer.DONE) {
                assertThat(finding).as(toString()).isEqualTo(has ? Finding.TAKEN : Finding.FREE);
            } else if (answer == Answer.FAILED) {
                assertThat(finding).as(toString()).isEqualTo(has ? Finding.FREE : Finding.TAKEN);
            }
            callAgain(finding, rival);
            return answer;
        }

        private Answer run() {
            try (UniqueFixture disturbed =
                    new UniqueFixture(Wire.between(session, this), UniqueListener.NONE, IMPATIENT)) {
                new MemberTable(session, disturbed).run(operation, id, email);
                return Answer.DONE;
            } catch (UnknownOutcomeException unknown) {
                return Answer.UNKNOWN;
            } catch (TransientDataAccessException failed) {
                return Answer.FAILED;
            }
        }

        /** The same call again, with nothing in its way, gives the answer that the first one owes. */
        private void callAgain(Finding finding, UUID rival) {
            boolean duplicate = false;
            try {
                members.run(operation, id, email);
            } catch (DuplicateValueException taken) {
                duplicate = true;
            }
            boolean has = operation != Operation.DELETE;
            assertThat(duplicate).as(toString()).isEqualTo(has && finding == Finding.FREE);
            if (finding == Finding.FREE) {
                assertThat(members.carriers(email)).as(toString()).containsExactly(rival);
            } else {
                assertThat(members.carriers(email)).as(toString()).hasSize(has ? 1 : 0);
            }
            if (operation == Operation.CHANGE) {
                assertThat(members.exists(id)).as(toString()).isTrue();
            }
        }
    }
}
