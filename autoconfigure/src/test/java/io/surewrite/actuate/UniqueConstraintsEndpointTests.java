package io.surewrite.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.actuate.UniqueConstraintsEndpoint.Action;
import io.surewrite.actuate.UniqueConstraintsEndpoint.Job;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueReport;
import io.surewrite.unique.catalog.NoMapping;
import io.surewrite.unique.catalog.UniqueCatalog;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class UniqueConstraintsEndpointTests {

    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private final UniqueCatalog catalog = new UniqueCatalog();
    private final AtomicBoolean built = new AtomicBoolean(true);
    private final UniqueConstraintsEndpoint endpoint = new UniqueConstraintsEndpoint(catalog, Broken::new, built::get);

    /** Else it would be shown as running for ever, and nobody could start it again. */
    @Test
    void canBeStartedAgainAfterAnError() {
        addLogin();
        endpoint.start("login", Action.REPAIR);
        awaitFailure();
        endpoint.start("login", Action.REPAIR);
        Awaitility.await().until(() -> started.get() == 2);
        awaitFailure();
    }

    @Test
    void knowsNoOtherConstraint() {
        assertThat(endpoint.start("email", Action.BUILD)).isNull();
        assertThat(endpoint.constraint("email")).isNull();
        assertThat(started).hasValue(0);
    }

    /** Where nobody has built anything, its tables need not be there. */
    @Test
    void showsAConstraintWithoutTheTablesOfBuilds() {
        addLogin();
        built.set(false);
        assertThat(endpoint.constraint("login")).satisfies(details -> {
            assertThat(details.lastBuild()).isNull();
            assertThat(details.constraint().repositories()).containsExactly("Users");
        });
        assertThat(asked).hasValue(0);
    }

    private void addLogin() {
        catalog.add(
                UniqueConstraint.on("login", "login"),
                "shop.user",
                "login",
                () -> {
                    throw new AssertionError("Nobody reads rows here");
                },
                new NoMapping(),
                "Users");
    }

    private void awaitFailure() {
        Awaitility.await().untilAsserted(() -> {
            Job job = Objects.requireNonNull(
                    Objects.requireNonNull(endpoint.constraint("login")).job());
            assertThat(job.state()).isEqualTo("failed");
            assertThat(job.failure()).isEqualTo("out of memory");
        });
    }

    private final class Broken implements UniqueConstraints {

        @Override
        public UniqueReport build(String constraint) {
            return repair(constraint, false);
        }

        @Override
        public UniqueReport repair(String constraint, boolean dryRun) {
            started.incrementAndGet();
            throw new OutOfMemoryError("out of memory");
        }

        @Override
        public Optional<UniqueReport> lastBuild(String constraint) {
            asked.incrementAndGet();
            return Optional.empty();
        }
    }
}
