package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy;
import io.surewrite.test.FrameProxy.Fate;
import io.surewrite.test.FrameProxy.Verdict;
import io.surewrite.unique.MemberTable.Finding;
import io.surewrite.unique.MemberTable.Operation;
import io.surewrite.write.UnknownOutcomeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.dao.TransientDataAccessException;

/**
 * Every request of an insert, a change and a deletion times out, once or from there on, on its way to a real node: it is
 * lost, or its answer is, or it arrives only when its lease is long over.
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

    private static final Queue<Case> cases = new ConcurrentLinkedQueue<>();

    private static UniqueFixture fixture;
    private static MemberTable members;
    private static FrameProxy network;
    private static CqlSession disturbedSession;
    private static UniqueFixture disturbedFixture;
    private static MemberTable disturbed;

    @BeforeAll
    static void createTable() throws IOException {
        session.execute(MemberTable.DDL);
        fixture = new UniqueFixture(session, ObservationRegistry.NOOP);
        members = new MemberTable(session, fixture);
        network =
                new FrameProxy(keyspace.server().contactPoint().getPort(), LATE, LostAnswersIntegrationTests::verdict);
        disturbedSession = PlainSession.open(
                network.port(), keyspace.server().localDatacenter(), keyspace.name(), Duration.ofMillis(300));
        disturbedFixture = new UniqueFixture(disturbedSession, ObservationRegistry.NOOP, IMPATIENT);
        disturbed = new MemberTable(disturbedSession, disturbedFixture);
    }

    @AfterAll
    static void close() throws IOException {
        disturbedSession.close();
        network.close();
    }

    /** A request belongs to the case whose id is in it. */
    private static Verdict verdict(byte[] frame) {
        String text = new String(frame, StandardCharsets.ISO_8859_1);
        return cases.stream()
                .filter(candidate -> candidate.isIn(text))
                .findAny()
                .map(Case::next)
                .orElseGet(() -> new Verdict(Fate.DELIVERED, new CompletableFuture<>()));
    }

    /** How a call ended. */
    private enum Answer {
        DONE,
        FAILED,
        UNKNOWN
    }

    @Test
    void answersRightOrUnknownWhateverTimesOut() throws Exception {
        for (Operation operation : Operation.values()) {
            for (int request = 1; request <= members.requests(operation); request++) {
                for (Fate fate : EnumSet.of(Fate.NEVER_SENT, Fate.ANSWER_LOST, Fate.LATE)) {
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
        System.out.printf(
                "Lost and late requests: %d cases, %s%n",
                answers.size(),
                answers.stream().collect(Collectors.groupingBy(Answer::name, TreeMap::new, Collectors.counting())));
        assertThat(answers).hasSameSizeAs(cases).contains(Answer.DONE, Answer.FAILED, Answer.UNKNOWN);
    }

    /** One call, whose requests time out. */
    private static final class Case implements Callable<Answer> {

        private final Operation operation;
        private final int first;
        private final Fate fate;
        private final boolean allThatFollow;
        private final Queue<CompletableFuture<?>> late = new ConcurrentLinkedQueue<>();
        private final AtomicInteger requests = new AtomicInteger();
        private final UUID id = UUID.randomUUID();
        private final String bytes = bytes(id);
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

        private static String bytes(UUID id) {
            ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits());
            return new String(bytes.array(), StandardCharsets.ISO_8859_1);
        }

        boolean isIn(String frame) {
            return frame.contains(bytes) || frame.contains(id.toString());
        }

        Verdict next() {
            int number = requests.incrementAndGet();
            CompletableFuture<Void> answered = new CompletableFuture<>();
            if (allThatFollow ? number < first : number != first) {
                return new Verdict(Fate.DELIVERED, answered);
            }
            if (fate == Fate.LATE) {
                late.add(answered);
            }
            return new Verdict(fate, answered);
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
            try {
                disturbed.run(operation, id, email);
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
