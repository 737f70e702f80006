package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.lease.Lease.ReleaseOutcome;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A renewal without a clear answer may have come into effect, or do so later: the table shows one of several lease ids. */
@Execution(ExecutionMode.CONCURRENT) // They wait most of their time.
class UnclearRenewalTests {

    private static final String NAME = "item:1";
    private static final LeaseRequest BY_HAND =
            LeaseRequest.of(NAME).withTtl(Duration.ofSeconds(30)).withoutRenewal();

    private final InMemoryLeases table = new InMemoryLeases();
    private final LeaseLocks locks = table.process();
    private final LeaseLocks others = table.process();
    private final Lease lease = locks.tryAcquire(BY_HAND).orElseThrow();

    @AfterEach
    void close() {
        table.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isFollowedByARelease(boolean applied) {
        table.store.loseAnswer(applied);
        assertThat(lease.renew()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(others.tryAcquire(NAME)).isPresent();
    }

    /** Each is one more id that the next statement asks for. */
    @Test
    void isTheLossOfTheLeaseAfterManyMore() {
        for (int i = 0; i <= 32; i++) {
            assertThat(lease.isHeld()).isTrue();
            table.store.loseAnswer(i == 0);
            assertThat(lease.renew()).isFalse();
        }
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
        assertThat(others.tryAcquire(NAME)).isPresent();
    }
}
