package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.actuate.BacklogHealthIndicator;
import io.surewrite.backlog.store.SqliteBacklogStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.health.contributor.Status;

/** A store that cannot do one thing, for once or for long, holds up nothing else. */
class BrokenBacklogStoreIntegrationTests extends BacklogTest {

    /** How often a method of the store fails yet. */
    private final Map<String, AtomicInteger> failing = new ConcurrentHashMap<>();

    private boolean throwing;

    @ParameterizedTest
    @CsvSource({
        "bury, true",
        "bury, false",
        "remove, true",
        "remove, false",
        "failed, true",
        "failed, false",
        "next, true",
        "next, false"
    })
    void replaysAllTheRest(String method, boolean throwing) {
        this.throwing = throwing;
        over(true);
        // As many as there are places, and more: each must be given back.
        failing.put(method, new AtomicInteger(9));
        for (int i = 0; i < 9; i++) {
            backlog.put("Dead", SimpleStatement.newInstance("INSERT INTO gone (id) VALUES (%d)".formatted(i)));
            backlog.put(
                    "Notes", SimpleStatement.newInstance("INSERT INTO note (id, text) VALUES (%d, 'a')".formatted(i)));
        }
        session.execute("DROP TABLE gone");
        over(false);
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(session.execute("SELECT id FROM note").all()).hasSize(9);
            assertThat(backlog.size().entries()).isZero();
            assertThat(backlog.deadLetters(0, 100)).hasSize(9);
        });
        assertThat(backlog.refusal()).isNull();
    }

    @Test
    void saysWhatTheStoreDoesNotNote() {
        over(true);
        failing.put("bury", new AtomicInteger(Integer.MAX_VALUE));
        backlog.put("Dead", SimpleStatement.newInstance("INSERT INTO gone (id) VALUES (1)"));
        session.execute("DROP TABLE gone");
        over(false);
        BacklogHealthIndicator health =
                new BacklogHealthIndicator(backlog, Duration.ofHours(1), Duration.ofHours(2), Clock.systemUTC());
        await().untilAsserted(() -> assertThat(health.health().getDetails())
                .containsKey("refused")
                .extractingByKey("refused")
                .asString()
                .contains("could not make a dead letter"));
        assertThat(health.health().getStatus()).isNotEqualTo(Status.UP);
        failing.get("bury").set(0);
        await().untilAsserted(() -> assertThat(health.health().getStatus()).isEqualTo(Status.UP));
    }

    /** Opens it again: what is kept is replayed only then. */
    private void over(boolean stopped) {
        backlog.close();
        if (stopped) {
            session.execute("CREATE TABLE IF NOT EXISTS gone (id int PRIMARY KEY)");
        }
        BacklogStore store = broken(new SqliteBacklogStore(directory, 1_000, 1_000_000, false));
        backlog = stopped ? over(store, stopped()) : over(store);
    }

    private BacklogStore broken(BacklogStore store) {
        return (BacklogStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {BacklogStore.class}, (proxy, method, arguments) -> {
                    AtomicInteger left = failing.get(method.getName());
                    if (left != null && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                        Supplier<RuntimeException> failure = () -> new IllegalStateException("planted");
                        if (throwing) {
                            throw failure.get();
                        }
                        return CompletableFuture.failedFuture(failure.get());
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
