package io.surewrite.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.surewrite.cql.WriteScope;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.UniqueListener.End;
import io.surewrite.unique.UniqueReport;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.health.contributor.Status;

class UniqueObservationTests {

    private boolean away = true;
    private final UniqueHealthIndicator health = new UniqueHealthIndicator(Clock.systemUTC(), this::guards);

    /** None whose answer is awaited, once the cluster is back. */
    private List<UniqueGuard> guards() {
        if (away) {
            throw new IllegalStateException("away");
        }
        return List.of();
    }

    @ParameterizedTest
    @EnumSource(names = {"UNKNOWN", "UNAVAILABLE"})
    void isDownUntilThereIsAClearAnswer(End unclear) {
        ended(unclear);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        ended(End.FAILED);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        ended(End.DUPLICATE);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        ended(unclear);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        away = false;
        assertThat(health.health().getStatus()).as("it looks by itself").isEqualTo(Status.UP);
    }

    @Test
    void namesViolatedConstraintsWithoutBeingDown() {
        health.scanned(report(3));
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        assertThat(health.health().getDetails()).containsEntry("duplicates", Map.of("member.email", 3L));
        health.scanned(report(0));
        assertThat(health.health().getDetails()).isEmpty();
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

    private void ended(End end) {
        health.ended("insert", end, Duration.ZERO);
    }

    private static UniqueReport report(long duplicates) {
        return new UniqueReport("member.email", UniqueReport.State.VALID, 1, 10, 10, 0, 0, 0, 0, duplicates, List.of());
    }
}
