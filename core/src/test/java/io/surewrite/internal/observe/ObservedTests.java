package io.surewrite.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.surewrite.internal.observe.Observed.WriteEnd;
import io.surewrite.write.FailureKind;
import io.surewrite.write.WriteScope;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ObservedTests {

    private final List<String> heard = new ArrayList<>();

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertThat(ObservationRegistry.create().getCurrentObservationScope()).isNull();
    }

    @Test
    void saysOperationTableOutcomeAndTheTypeOfTheFailure() {
        TestObservationRegistry registry = TestObservationRegistry.create();
        Observed observed = Observed.start(registry, "surewrite.write", "People.save", "shop.person");
        observed.with("timestamp", 7);
        observed.attemptFailed(1, FailureKind.UNKNOWN, new RuntimeException("a", new IllegalStateException("secret")));
        observed.stopWrite(WriteEnd.UNKNOWN, 1);
        TestObservationRegistryAssert.assertThat(registry)
                .hasSingleObservationThat()
                .hasBeenStopped()
                .hasNameEqualTo("surewrite.write")
                .hasContextualNameEqualTo("People.save")
                .hasLowCardinalityKeyValue("operation", "People.save")
                .hasLowCardinalityKeyValue("outcome", "unknown")
                .hasHighCardinalityKeyValue("db.system.name", "cassandra")
                .hasHighCardinalityKeyValue("db.namespace", "shop")
                .hasHighCardinalityKeyValue("db.collection.name", "person")
                .hasHighCardinalityKeyValue("timestamp", "7")
                .hasHighCardinalityKeyValue("error.type", "java.lang.IllegalStateException");
    }

    /** Most requests are sent by the driver's threads, and belong to the caller's trace all the same. */
    @Test
    void hasWhatIsSentInItWhicheverThreadSendsIt() {
        TestObservationRegistry registry = TestObservationRegistry.create();
        Observed observed = Observed.start(registry, "surewrite.unique", "insert", null);
        assertThat(registry.getCurrentObservation()).isNull();
        CompletableFuture.runAsync(() -> {
                    WriteScope.Opened step = observed.open();
                    Observation.start("request", registry).stop();
                    step.close();
                    assertThat(registry.getCurrentObservation()).isNull();
                })
                .join();
        observed.stop("succeeded");
        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("request")
                .that()
                .hasParentObservationContextMatching(parent -> parent.getName().equals("surewrite.unique"));
    }

    /** The handlers around it hear what Micrometer tells them; the caller notices nothing, and no scope is left on its thread. */
    @Test
    void handlersThatThrowChangeNothing() {
        for (Throwable thrown : List.of(new IllegalStateException("broken"), new StackOverflowError())) {
            ObservationRegistry registry = broken(thrown);
            Observation outer = Observation.createNotStarted("outer", ObservationRegistry.create());
            try (Observation.Scope scope = outer.openScope()) {
                Observed observed = Observed.start(registry, "surewrite.write", "People.save", "shop.person");
                WriteScope.Opened opened = observed.open();
                opened.close();
                assertThat(registry.getCurrentObservationScope()).isSameAs(scope);
                observed.attemptFailed(1, FailureKind.UNKNOWN, new IllegalStateException());
                observed.stop("succeeded");
            }
        }
        assertThat(heard)
                .hasSize(10)
                .startsWith("onStart", "onScopeOpened", "onScopeClosed", "onEvent", "onStop")
                .endsWith("onStart", "onScopeOpened", "onScopeClosed", "onEvent", "onStop");
    }

    private ObservationRegistry broken(Throwable thrown) {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler((ObservationHandler<?>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ObservationHandler.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("supportsContext")) {
                        return true;
                    }
                    heard.add(method.getName());
                    throw thrown;
                }));
        return registry;
    }
}
