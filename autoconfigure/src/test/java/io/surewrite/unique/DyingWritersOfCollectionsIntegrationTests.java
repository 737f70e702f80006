package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.lwt.SettlingConditionalWrites;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.Waits;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A writer of users with roles dies at each request that an insert, a save or a deletion sends to a real server: when it
 * is answered, or before it has even left, and then it comes when a rival has taken the login over. Roles are those of one
 * write, never a union.
 */
@LongLane
class DyingWritersOfCollectionsIntegrationTests extends CassandraTest {

    private static final UniqueConstraint LOGIN = UniqueConstraint.on("role_user_login", "login");

    private static final int MOST_REQUESTS = 8;

    private static ScheduledExecutorService scheduler;
    private static UniqueFixture fixture;
    private static Site calm;

    record User(UUID id, String login, @Nullable Set<String> authorities) {}

    /** What a writer does with a user. */
    private enum Operation {
        INSERT,
        CHANGE_OF_LOGIN,
        CHANGE_OF_ROLES,
        DELETE
    }

    /** A guard and its table behind one session. */
    private record Site(ClaimingGuard guard, CqlRows users) {

        static Site behind(CqlSession way) {
            return new Site(
                    ClaimingGuard.on(
                            way,
                            SettlingConditionalWrites.on(way, scheduler, ObservationRegistry.NOOP),
                            "surewrite_claim",
                            "surewrite_value",
                            UniqueFixture.SETTINGS,
                            ObservationRegistry.NOOP),
                    CqlRows.of(
                            way,
                            session.getMetadata()
                                    .getKeyspace(keyspace.name())
                                    .flatMap(found -> found.getTable("role_user"))
                                    .orElseThrow(),
                            List.of(LOGIN)));
        }

        CompletionStage<Void> insert(User user) {
            return guard.insertAsync(users, write(user));
        }

        CompletionStage<Void> save(User user) {
            return guard.changeAsync(users, write(user));
        }

        CompletionStage<Void> delete(UUID id) {
            return guard.deleteAsync(users, users.owner(Map.of(CqlIdentifier.fromCql("id"), id)));
        }

        private EntityWrite write(User user) {
            return new WrittenRow(
                    users,
                    Map.of("id", user.id(), "login", user.login()),
                    timestamp -> users.session()
                            .executeAsync(SimpleStatement.newInstance(
                                    "INSERT INTO role_user (id, login, authorities) VALUES (?, ?, ?) USING TIMESTAMP ?",
                                    user.id(),
                                    user.login(),
                                    user.authorities(),
                                    timestamp))
                            .thenAccept(done -> {}));
        }
    }

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE role_user (id uuid PRIMARY KEY, login text, authorities set<text>)");
        scheduler = Executors.newScheduledThreadPool(1);
        fixture = new UniqueFixture(session, ObservationRegistry.NOOP);
        calm = Site.behind(session);
    }

    @AfterAll
    static void close() {
        fixture.close();
        scheduler.shutdown();
    }

    @Test
    @Waits
    void leavesTheRolesOfOneWriteWhereverAWriterDies() throws Exception {
        List<Case> cases = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            for (int request = 1; request <= MOST_REQUESTS; request++) {
                cases.add(new Case(operation, request, false));
                cases.add(new Case(operation, request, true));
            }
        }
        Map<Operation, Integer> deaths = new EnumMap<>(Operation.class);
        ExecutorService threads = Executors.newFixedThreadPool(cases.size());
        try {
            List<Future<Boolean>> ended = threads.invokeAll(cases);
            for (int i = 0; i < cases.size(); i++) {
                deaths.merge(cases.get(i).operation, ended.get(i).get() ? 1 : 0, Integer::sum);
            }
        } finally {
            threads.shutdown();
        }
        // At each request: two looks at the claim, read, write, release; and more where a busy machine was too slow for
        // the lease.
        Map<Operation, Integer> least = Map.of(
                Operation.INSERT, 2 * 2,
                Operation.CHANGE_OF_LOGIN, 2 * 5,
                Operation.CHANGE_OF_ROLES, 2 * 2,
                Operation.DELETE, 2 * 3);
        assertThat(deaths)
                .hasSameSizeAs(least)
                .allSatisfy((operation, died) ->
                        assertThat(died).isGreaterThanOrEqualTo(Objects.requireNonNull(least.get(operation))));
    }

    /** One writer. */
    private static final class Case implements Callable<Boolean> {

        private final Operation operation;
        private final int last;
        private final boolean late;
        private final UUID id = UUID.randomUUID();
        private final String before = "before " + id;
        private final String login;
        private volatile @Nullable Supplier<CompletionStage<AsyncResultSet>> onItsWay;
        private final CompletableFuture<Void> dead = new CompletableFuture<>();

        Case(Operation operation, int last, boolean late) {
            this.operation = operation;
            this.last = last;
            this.late = late;
            this.login =
                    operation == Operation.CHANGE_OF_ROLES || operation == Operation.DELETE ? before : "after " + id;
        }

        @Override
        public String toString() {
            return "%s, dead at request %d%s".formatted(operation, last, late ? ", which comes late" : "");
        }

        /** {@return whether it died} */
        @Override
        public Boolean call() throws Exception {
            if (operation != Operation.INSERT) {
                join(calm.save(new User(id, before, Set.of("guest", "author"))));
                join(calm.save(new User(id, before, Set.of("author", "editor"))));
                assertRoles("author", "editor");
            }
            boolean died = dies();

            boolean free = wants(login);
            deliver();
            if (operation == Operation.CHANGE_OF_ROLES) {
                assertThat(free).as(toString()).isFalse();
                assertThat(roles()).as(toString()).isIn(Set.of("author", "editor"), Set.of("admin"));
            } else if (operation == Operation.DELETE) {
                if (exists()) {
                    assertThat(free).as(toString()).isFalse();
                    assertRoles("author", "editor");
                } else {
                    assertThat(free || late).as(toString()).isTrue();
                }
            } else if (!free) {
                assertRoles("admin");
            } else if (operation == Operation.CHANGE_OF_LOGIN) {
                assertRoles("author", "editor");
            } else {
                assertThat(exists()).as(toString()).isFalse();
            }
            if (exists()) {
                join(calm.save(new User(id, "last " + id, Set.of("reader"))));
                assertRoles("reader");
            }
            return died;
        }

        private boolean dies() throws Exception {
            Site mortal = Site.behind(Wire.between(session, (number, statement, request) -> {
                if (number > last) {
                    return new CompletableFuture<>();
                }
                if (number < last) {
                    return request.get();
                }
                if (late) {
                    onItsWay = request;
                    dead.complete(null);
                } else {
                    request.get().whenComplete((answer, failure) -> dead.complete(null));
                }
                return new CompletableFuture<>();
            }));
            User user = new User(id, login, Set.of("admin"));
            CompletableFuture<Void> call = switch (operation) {
                case INSERT -> mortal.insert(user).toCompletableFuture();
                case DELETE -> mortal.delete(id).toCompletableFuture();
                default -> mortal.save(user).toCompletableFuture();
            };
            CompletableFuture.anyOf(call, dead).get(20, TimeUnit.SECONDS);
            return !call.isDone();
        }

        private void deliver() throws Exception {
            Supplier<CompletionStage<AsyncResultSet>> request = onItsWay;
            if (request != null) {
                request.get().toCompletableFuture().get(20, TimeUnit.SECONDS);
            }
        }

        /** {@return whether the login was free in the end} */
        private boolean wants(String value) {
            return Awaitility.await(toString())
                    .atMost(UniqueFixture.SETTINGS.lease().plusSeconds(20))
                    .pollInSameThread()
                    .until(() -> ask(value), Objects::nonNull);
        }

        private static @Nullable Boolean ask(String value) throws InterruptedException, TimeoutException {
            try {
                join(calm.insert(new User(UUID.randomUUID(), value, Set.of("rival"))));
                return true;
            } catch (java.util.concurrent.ExecutionException failure) {
                return failure.getCause() instanceof DuplicateValueException ? false : null;
            }
        }

        private static void join(CompletionStage<Void> call)
                throws InterruptedException, TimeoutException, java.util.concurrent.ExecutionException {
            call.toCompletableFuture().get(20, TimeUnit.SECONDS);
        }

        private boolean exists() {
            return row() != null;
        }

        private void assertRoles(String... expected) {
            assertThat(roles()).as(toString()).containsExactlyInAnyOrder(expected);
        }

        private @Nullable Set<String> roles() {
            return Objects.requireNonNull(row(), toString()).getSet(0, String.class);
        }

        private @Nullable Row row() {
            return session.execute("SELECT authorities FROM role_user WHERE id = " + id)
                    .one();
        }
    }
}
