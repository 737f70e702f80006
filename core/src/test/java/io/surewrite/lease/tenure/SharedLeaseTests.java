package io.surewrite.lease.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.cql.settle.SerialConsistencyRow;
import io.surewrite.lease.CloseableLeaseLocks;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.Leases;
import io.surewrite.lease.OnLoss;
import io.surewrite.lease.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lease that one thread acquires more than once. */
class SharedLeaseTests {

    private static final LeaseRequest REQUEST =
            LeaseRequest.of("item:1").withPayload("why").withoutRenewal();

    private final InMemoryLeases table = new InMemoryLeases();
    private final CloseableLeaseLocks locks = table.process().reentrant();

    @AfterEach
    void close() {
        table.close();
    }

    @Test
    void showsTheLeaseInEachPart() throws Exception {
        Lease one = locks.tryAcquire(REQUEST).orElseThrow();
        Lease two = locks.tryAcquire(REQUEST, Duration.ofSeconds(1)).orElseThrow();
        assertThat(two.name()).isEqualTo("item:1");
        assertThat(two.token()).isEqualTo(one.token()).isPositive();
        assertThat(one.nextFence()).isLessThan(two.nextFence());
        assertThat(two.holder()).isEqualTo("somebody");
        assertThat(two.payload()).isEqualTo("why");
        assertThat(two.remaining()).isPositive();
        assertThat(two).asString().startsWith("Lease[item:1").endsWith("(shared)");
        assertThat(locks.held()).hasSize(1);
        assertThat(locks.inspect("item:1").orElseThrow().payload()).isEqualTo("why");
        assertThat(locks.reentrant()).isSameAs(locks);
    }

    @Test
    void endsEachPartAlone() {
        Lease one = locks.tryAcquire(REQUEST).orElseThrow();
        Lease two = locks.tryAcquire(REQUEST).orElseThrow();
        assertThat(two.renew()).isTrue();
        assertThat(two.renewAsync().toCompletableFuture().join()).isTrue();
        assertThat(two.renewAsync(Duration.ofSeconds(20)).toCompletableFuture().join())
                .isTrue();
        assertThat(two.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(two.isHeld()).isFalse();
        assertThat(two.remaining()).isZero();
        assertThat(two.renew()).isFalse();
        assertThat(two.renewAsync().toCompletableFuture().join()).isFalse();
        assertThat(two.renewAsync(Duration.ofSeconds(20)).toCompletableFuture().join())
                .isFalse();
        assertThat(two.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(one.isHeld()).isTrue();
        assertThat(one.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void isShownForAsLongAsAnyPartLasts() {
        Lease first = locks.tryAcquire(REQUEST).orElseThrow();
        assertThat(locks.held()).as("not shared").containsExactly(first);
        Lease second = locks.tryAcquire(REQUEST).orElseThrow();
        first.release();
        assertThat(locks.held()).singleElement().satisfies(shown -> {
            assertThat(shown.isHeld()).isTrue();
            assertThat(shown.remaining()).isPositive();
        });
        assertThat(locks.held().get(0).release()).as("of the whole").isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(second.isHeld()).isFalse();
        assertThat(locks.held()).isEmpty();
        assertThat(locks.tryAcquire(REQUEST).orElseThrow().token()).isGreaterThan(second.token());
    }

    @Test
    void checksAllNamesBeforeItAcquiresTheFirst() {
        assertThatThrownBy(() -> locks.tryAcquireAll(List.of("a", SerialConsistencyRow.NAME), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(locks.inspect("a")).as("a row").isEmpty();
    }

    @Test
    void isAcquiredAnewAfterTheLastPart() {
        Lease one = locks.tryAcquire(REQUEST).orElseThrow();
        one.release();
        Lease other = locks.tryAcquire(REQUEST).orElseThrow();
        assertThat(other.token()).isGreaterThan(one.token());
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    void tellsEachPartOfTheLoss() {
        List<String> heard = new ArrayList<>();
        Lease one = locks.tryAcquire(REQUEST).orElseThrow();
        Lease two = locks.tryAcquire(REQUEST).orElseThrow();
        ((HeldLease) one).whenLost(reason -> heard.add("one " + reason));
        ((HeldLease) two).whenLost(reason -> heard.add("two " + reason));
        table.clear("item:1");
        assertThat(one.renew()).isFalse();
        assertThat(heard).containsExactly("one GONE", "two GONE");
        assertThat(two.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
        // The lease is over: what comes next is another.
        assertThat(locks.tryAcquire(REQUEST).orElseThrow().token()).isGreaterThan(one.token());
    }

    @Test
    void isOfOneThread() throws Exception {
        Lease one = locks.tryAcquire(REQUEST).orElseThrow();
        assertThat(locks.tryAcquireAsync(REQUEST).toCompletableFuture().join()).isEmpty();
        assertThat(locks.tryAcquireAsync(REQUEST, Duration.ofMillis(20))
                        .toCompletableFuture()
                        .join())
                .isEmpty();
        Optional<Leases> all = locks.tryAcquireAll(List.of("item:1", "item:2"), Duration.ofSeconds(1));
        assertThat(all).isPresent();
        all.orElseThrow().close();
        assertThat(one.isHeld()).isTrue();
        String answer =
                locks.callUnder(REQUEST, Duration.ofSeconds(1), OnLoss.INTERRUPT, lease -> "token " + lease.token());
        assertThat(answer).isEqualTo("token " + one.token());
        locks.close();
        assertThat(one.isHeld()).isFalse();
        assertThatThrownBy(() -> locks.tryAcquire(LeaseRequest.of("another")))
                .isInstanceOf(IllegalStateException.class);
    }
}
