package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallerStepsTests {

    private final CallerSteps steps = new CallerSteps();
    private final List<Thread> ran = new CopyOnWriteArrayList<>();
    private final Thread caller = Thread.currentThread();

    private void step() {
        ran.add(Thread.currentThread());
    }

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    private static void elsewhere(Runnable task) throws InterruptedException {
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
    }

    @Test
    void runsStepsOnTheThreadThatWaits() throws Exception {
        CompletableFuture<String> call = new CompletableFuture<>();
        elsewhere(() -> steps.execute(this::step));
        steps.execute(() -> call.complete("done"));
        assertThat(ran).isEmpty();
        assertThat(steps.await(call)).isEqualTo("done");
        assertThat(ran).containsExactly(caller);
    }

    @Test
    void wakesWhereTheCallEndsElsewhere() throws Exception {
        CompletableFuture<String> call = new CompletableFuture<>();
        Thread other = new Thread(() -> {
            while (caller.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            call.complete("done");
        });
        other.start();
        assertThat(steps.await(call)).isEqualTo("done");
        other.join();
    }

    @Test
    void leavesNoStepOut() throws Exception {
        CompletableFuture<String> call = CompletableFuture.completedFuture("done");
        steps.execute(this::step);
        assertThat(steps.await(call)).isEqualTo("done");
        assertThat(ran).containsExactly(caller);
        elsewhere(() -> steps.execute(this::step));
        // Nobody waits any more.
        assertThat(ran).hasSize(2);
        assertThat(ran.get(1)).isNotEqualTo(caller);
    }

    @Test
    void keepsAnInterruptUntilTheCallHasEnded() {
        CompletableFuture<String> call = new CompletableFuture<>();
        steps.execute(caller::interrupt);
        var unused = CompletableFuture.runAsync(() -> {
            while (caller.isInterrupted() || caller.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            steps.execute(() -> call.complete("done"));
        });
        assertThat(steps.await(call)).isEqualTo("done");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void throwsWhatTheCallFailedWith() {
        IllegalStateException wrong = new IllegalStateException("wrong");
        assertThatThrownBy(() -> steps.await(CompletableFuture.failedFuture(new CompletionException(wrong))))
                .isSameAs(wrong);
        assertThat(Thread.interrupted()).isFalse();
        Error error = new AssertionError("worse");
        assertThatThrownBy(() -> steps.await(CompletableFuture.failedFuture(error)))
                .isSameAs(error);
    }
}
