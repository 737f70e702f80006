package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.UniqueGuard;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class UniqueHealthTests {

    private final AtomicReference<@Nullable Instant> since = new AtomicReference<>();
    private boolean away = true;

    /** Of which nothing is asked but since when, and, while it is down, its look. */
    private final UniqueGuard guard = (UniqueGuard) Proxy.newProxyInstance(
            UniqueGuard.class.getClassLoader(), new Class<?>[] {UniqueGuard.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("unclearSince")) {
                    return since.get();
                }
                assertThat(since.get())
                        .as("it sends nothing while all goes well")
                        .isNotNull();
                return away
                        ? CompletableFuture.failedFuture(new IllegalStateException("away"))
                        : CompletableFuture.completedFuture(null);
            });

    private final RecentFailure.OfUniqueValues health = new RecentFailure.OfUniqueValues(() -> List.of(guard));

    @Test
    void isDownUntilThereIsAClearAnswer() {
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        since.set(Instant.EPOCH);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsEntry("undecidedSince", Instant.EPOCH);
        away = false;
        assertThat(health.health().getStatus()).as("it looks by itself").isEqualTo(Status.UP);
        since.set(null);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }
}
