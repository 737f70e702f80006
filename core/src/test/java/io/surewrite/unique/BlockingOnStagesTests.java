package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.internal.session.DriverFailures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // join heeds no interrupt
class BlockingOnStagesTests {

    @Test
    void keepsAnInterruptUntilTheCallHasEnded() {
        CompletableFuture<String> call = new CompletableFuture<>();
        Thread caller = Thread.currentThread();
        Thread other = new Thread(() -> {
            caller.interrupt();
            while (caller.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            call.complete("done");
        });
        other.setDaemon(true);
        other.start();
        String joined = DriverFailures.joined(call);
        assertThat(joined).isEqualTo("done");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void throwsWhatTheCallFailedWith() {
        IllegalStateException wrong = new IllegalStateException("wrong");
        assertThatThrownBy(() -> DriverFailures.joined(Stages.failed(new CompletionException(wrong))))
                .isSameAs(wrong);
        Error error = new AssertionError("worse");
        assertThatThrownBy(() -> DriverFailures.joined(Stages.failed(error))).isSameAs(error);
    }

    @Test
    void goesOnWithTheFailureItself() {
        IllegalStateException wrong = new IllegalStateException("wrong");
        CompletionStage<Throwable> failed = Stages.<Object, Throwable>then(
                Stages.failed(new CompletionException(wrong)),
                value -> Stages.done(new AssertionError(value)),
                Stages::done);
        assertThat(failed.toCompletableFuture().join()).isSameAs(wrong);
    }
}
