package io.surewrite.unique;

import static io.surewrite.unique.ScriptedGuard.FIRST_PAUSE;
import static io.surewrite.unique.ScriptedGuard.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.write.UnknownOutcomeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/** What becomes of a call whose row is not acknowledged, or whose caller gives up. */
class FailedRowWriteTests {

    private static final String CREATE = "create login 1:a";
    private static final String WITHDRAW = "withdraw login 1:a";
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ScriptedGuard user = new ScriptedGuard();

    /** {@return the row's write, which is on its way} */
    private Sent writes() {
        user.next(CREATE).done();
        return user.next("write");
    }

    private void isUnknown(CompletableFuture<Void> insert) {
        user.nothingSent();
        assertThat(failureOf(insert)).isInstanceOf(UnknownOutcomeException.class);
    }

    @Test
    void writesAgainWithTheSameTimestamp() {
        CompletableFuture<Void> insert = user.insert();
        Sent write = writes();
        user.clock.advance(Duration.ofMillis(7));
        write.fails(Sent.lost());
        Sent again = user.nextAfter(FIRST_PAUSE, "write");
        assertThat(again.timestamp).isEqualTo(write.timestamp);
        again.fails(Sent.neverSent());
        user.nextAfter(FIRST_PAUSE.multipliedBy(2), "write").done();
        assertThat(insert).isCompleted();
    }

    @Test
    void isUnknownWhereOneOfItsWritesWasLost() {
        CompletableFuture<Void> insert = user.insert();
        writes().fails(Sent.lost());
        Sent again = user.nextAfter(FIRST_PAUSE, "write");
        user.clock.freeze(LONG);
        again.fails(Sent.neverSent());
        isUnknown(insert);
        assertThat(user.events).endsWith("insert UNKNOWN after PT30.015S");
    }

    @Test
    void withdrawsItsClaimsWhereTheRowWasNeverSent() {
        CompletableFuture<Void> insert = user.insert();
        Sent create = user.next(CREATE);
        create.done();
        Sent write = user.next("write");
        user.clock.freeze(LONG);
        write.fails(Sent.neverSent());
        Sent withdraw = user.next(WITHDRAW);
        assertThat(withdraw.id).isEqualTo(create.claim().claimId());
        withdraw.done();
        assertThat(failureOf(insert)).isInstanceOf(ClaimsUnavailableException.class);
        assertThat(user.events).endsWith("insert UNAVAILABLE after PT30S");
    }

    static Stream<RuntimeException> wrong() {
        return Stream.of(Sent.wrong(), new IllegalStateException("Session is closed"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void isUnknownWhereASecondWriteIsWrong(RuntimeException wrong) {
        CompletableFuture<Void> insert = user.insert();
        writes().fails(Sent.lost());
        user.nextAfter(FIRST_PAUSE, "write").fails(wrong);
        isUnknown(insert);
    }

    @Test
    void isUnknownWhereTheCallersCodeFailsLater() {
        CompletableFuture<Void> insert = user.insert();
        writes().fails(new IllegalStateException("a callback"));
        isUnknown(insert);
    }

    @Test
    void passesOnThatTheCallItselfWasWrong() {
        CompletableFuture<Void> insert = user.insert();
        RuntimeException wrong = new InvalidDataAccessApiUsageException("a list");
        writes().fails(wrong);
        user.next(WITHDRAW).done();
        assertThat(failureOf(insert)).isSameAs(wrong);
    }

    @Test
    void writesNothingForACallerWhoHasGivenUp() {
        CompletableFuture<Void> insert = user.insert();
        Sent create = user.next(CREATE);
        insert.cancel(true);
        create.done();
        Sent withdraw = user.next(WITHDRAW);
        assertThat(withdraw.id).isEqualTo(create.claim().claimId());
        withdraw.done();
        user.nothingSent();
        assertThat(user.events).endsWith("insert FAILED after PT0S");
    }
}
