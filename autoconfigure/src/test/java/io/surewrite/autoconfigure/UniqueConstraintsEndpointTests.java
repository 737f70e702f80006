package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.autoconfigure.UniqueConstraintsEndpoint.Action;
import io.surewrite.autoconfigure.UniqueConstraintsEndpoint.Job;
import io.surewrite.unique.NoMapping;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueReport;
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
    private final AtomicBoolean repaired = new AtomicBoolean(true);
    private final UniqueConstraintsEndpoint endpoint =
            new UniqueConstraintsEndpoint(catalog, Broken::new, repaired::get);

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

    /** Where nobody has repaired anything, its table need not be there. */
    @Test
    void showsAConstraintWithoutTheTableOfRepairs() {
        addLogin();
        repaired.set(false);
        assertThat(endpoint.constraint("login")).satisfies(details -> {
            assertThat(details.lastRepair()).isNull();
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
        public UniqueReport audit(String constraint) {
            return repair(constraint);
        }

        @Override
        public UniqueReport repair(String constraint) {
            started.incrementAndGet();
            throw new OutOfMemoryError("out of memory");
        }

        @Override
        public Optional<UniqueReport> lastRepair(String constraint) {
            asked.incrementAndGet();
            return Optional.empty();
        }
    }
}
