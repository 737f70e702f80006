package io.surewrite.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.surewrite.cql.WriteScope;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.UniqueListener.End;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class UniqueObservationTests {

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

    private final UniqueHealthIndicator health = new UniqueHealthIndicator(() -> List.of(guard));

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

    /** Most requests are sent by the driver's threads, and belong to the caller's trace all the same. */
    @Test
    void hasTheRequestsOfACallInItsObservationWhicheverThreadSendsThem() throws Exception {
        TestObservationRegistry registry = TestObservationRegistry.create();
        UniqueListener.Call call = UniqueListener.all(
                        List.of(UniqueListener.NONE, new SurewriteObservations(registry), UniqueListener.NONE))
                .begun("insert", "shop.member");
        assertThat(registry.getCurrentObservation()).isNull();
        CompletableFuture.runAsync(() -> {
                    WriteScope.Opened step = call.stepStarted();
                    Observation.start("request", registry).stop();
                    step.close();
                    assertThat(registry.getCurrentObservation()).isNull();
                })
                .get();
        call.ended(End.SUCCEEDED);

        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("request")
                .that()
                .hasParentObservationContextMatching(parent -> parent.getName().equals("surewrite.unique"));
        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("surewrite.unique")
                .that()
                .hasLowCardinalityKeyValue("outcome", "succeeded")
                .hasHighCardinalityKeyValue("db.system.name", "cassandra")
                .hasHighCardinalityKeyValue("db.namespace", "shop")
                .hasHighCardinalityKeyValue("db.collection.name", "member")
                .hasBeenStopped();
    }
}
