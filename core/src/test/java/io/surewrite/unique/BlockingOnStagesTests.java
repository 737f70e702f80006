package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.internal.session.DriverFailures;
import java.util.concurrent.CompletableFuture;
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
}
