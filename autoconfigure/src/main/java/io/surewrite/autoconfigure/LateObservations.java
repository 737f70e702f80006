package io.surewrite.autoconfigure;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The application's registry of observations, looked up when all beans were made: its handlers need the meters, and what
 * customizes meters may need a repository. What is written before is not observed.
 */
final class LateObservations implements SmartInitializingSingleton {

    private final ObjectProvider<ObservationRegistry> found;
    private volatile ObservationRegistry registry = ObservationRegistry.NOOP;

    LateObservations(ObjectProvider<ObservationRegistry> found) {
        this.found = found;
    }

    @Override
    public void afterSingletonsInstantiated() {
        registry = found.getIfUnique(() -> ObservationRegistry.NOOP);
    }

    ObservationRegistry registry() {
        return new ObservationRegistry() {

            @Override
            public @Nullable Observation getCurrentObservation() {
                return registry.getCurrentObservation();
            }

            @Override
            public Observation.@Nullable Scope getCurrentObservationScope() {
                return registry.getCurrentObservationScope();
            }

            @Override
            public void setCurrentObservationScope(Observation.@Nullable Scope current) {
                registry.setCurrentObservationScope(current);
            }

            @Override
            public ObservationConfig observationConfig() {
                return registry.observationConfig();
            }

            @Override
            public boolean isNoop() {
                return registry.isNoop();
            }
        };
    }
}
