package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.MemberTable.Finding;
import io.surewrite.unique.MemberTable.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The process of a writer dies when a real server answers: at every request of an insert, a change or a deletion. */
@LongLane
class UniqueCrashIntegrationTests extends CassandraTest {

    private static final Duration LONGEST_BLOCKED =
            UniqueFixture.SETTINGS.lease().plusSeconds(1);

    private static UniqueFixture fixture;
    private static MemberTable members;

    @BeforeAll
    static void createTable() {
        session.execute(MemberTable.DDL);
        fixture = new UniqueFixture(session, ObservationRegistry.NOOP);
        members = new MemberTable(session, fixture);
    }

    @Test
    void leavesEveryValueFreeOrOnOneRowWhereverAWriterDies() throws Exception {
        List<Callable<Integer>> matrix = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            matrix.add(() -> dieAtEveryRequest(operation));
        }
        int deaths = 0;
        ExecutorService threads = Executors.newFixedThreadPool(Operation.values().length);
        try {
            for (Future<Integer> died : threads.invokeAll(matrix)) {
                deaths += died.get();
            }
        } finally {
            threads.shutdown();
        }
        System.out.printf("Crash matrix: %d deaths%n", deaths);
        // A writer whose row is acknowledged late (0.9 s) asks once more, whether a takeover has fenced it.
        assertThat(deaths)
                .isGreaterThanOrEqualTo(Stream.of(Operation.values())
                        .mapToInt(members::requests)
                        .sum());
    }

    /** {@return how often it died before it was done} */
    private static int dieAtEveryRequest(Operation operation) throws Exception {
        for (int request = 1; ; request++) {
            UUID id = UUID.randomUUID();
            String before = "before-" + id;
            String email = operation == Operation.DELETE ? before : "after-" + id;
            if (operation != Operation.INSERT) {
                members.insert(id, before);
            }
            boolean died = DyingWriter.dies(keyspace.server(), keyspace.name(), operation, id, email, request);
            String when = "%s at request %d".formatted(operation, request);
            assertOneRowHas(email, id, when);
            if (operation == Operation.CHANGE) {
                assertOneRowHas(before, id, when);
                assertThat(members.exists(id)).as(when).isTrue();
            }
            if (!died) {
                return request - 1;
            }
        }
    }

    private static void assertOneRowHas(String email, UUID dead, String when) throws InterruptedException {
        UUID rival = UUID.randomUUID();
        Finding finding = members.want(email, rival, LONGEST_BLOCKED);
        UUID owner = finding == Finding.FREE ? rival : dead;
        assertThat(members.carriers(email)).as(when).containsExactly(owner);
        assertThat(members.claimed(email)).as(when).contains(members.owner(owner));
    }
}
