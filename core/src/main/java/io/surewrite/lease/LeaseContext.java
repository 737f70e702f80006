package io.surewrite.lease;

import io.surewrite.internal.clock.ClockGuard.ClockCheck;
import io.surewrite.lease.LeaseStore.LeaseWrite;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the classes of the protocol work with. The code of callers runs on {@code callbacks}: no thread of driver or timers. */
record LeaseContext(
        LeaseStore store,
        LeaseTime time,
        ClockCheck clocks,
        WriteTimestamps timestamps,
        DeadlinesAndTokens rules,
        LeaseSettings settings,
        Supplier<UUID> ids,
        DoubleSupplier random,
        LeaseEvents events,
        Executor callbacks) {

    /** A pause of about so many nanoseconds: between half of it and all of it. */
    long jittered(long nanos) {
        return nanos / 2 + (long) (nanos / 2.0 * random.getAsDouble());
    }

    LeaseWrite claim(LeaseRequest request, NameMemory memory) {
        Duration ttl = rules.written(
                Objects.requireNonNull(request.ttl()),
                Objects.requireNonNullElse(request.holdAtLeast(), Duration.ZERO));
        long epoch = memory.epoch();
        boolean checksFloor = !memory.epochProvesFloor();
        // Our own clock will do in nearly all cases: the last holder has left before we came.
        long floor = checksFloor ? Math.max(timestamps.tick(), memory.floor()) : memory.floor();
        timestamps.raise(floor);
        return new LeaseWrite(
                request.name(),
                ids.get(),
                epoch,
                rules.nextEpoch(epoch),
                settings.holder(),
                ttl,
                floor,
                checksFloor,
                reserved(floor, ttl));
    }

    /**
     * That of the end of a hold: ending by itself, it leaves a floor no farther ahead than the clocks are apart. {@code tick()}
     * never falls and the ttl is fixed, so no renewal reserves less than the one before.
     */
    long reserved(long atLeast, Duration ttl) {
        return Math.max(rules.reserved(timestamps.tick(), ttl), atLeast);
    }

    /** What a name is left with: no timestamp drawn under it so far lies above it. */
    long highest(long floor) {
        return Math.max(timestamps.highest(), floor);
    }

    /** What callers attach to it runs where their code may run. */
    <T extends @Nullable Object> CompletionStage<T> handOut(CompletableFuture<T> answer) {
        return answer.whenCompleteAsync((value, failure) -> {}, callbacks).minimalCompletionStage();
    }
}
