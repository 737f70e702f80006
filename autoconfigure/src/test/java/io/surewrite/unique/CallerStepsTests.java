package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // await heeds no interrupt
class CallerStepsTests {

    private final CallerSteps steps = new CallerSteps();
    private final List<Thread> ran = new CopyOnWriteArrayList<>();

    private void step() {
        ran.add(Thread.currentThread());
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
        assertThat(ran).containsExactly(Thread.currentThread());
    }

    @Test
    void wakesWhereTheCallEndsElsewhere() {
        CompletableFuture<String> call = new CompletableFuture<>();
        Thread caller = Thread.currentThread();
        whenWaiting(caller, () -> call.complete("done"));
        assertThat(steps.await(call)).isEqualTo("done");
    }

    private static void whenWaiting(Thread caller, Runnable task) {
        Thread other = new Thread(() -> {
            while (caller.isInterrupted() || caller.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            task.run();
        });
        other.setDaemon(true);
        other.start();
    }

    @Test
    void leavesNoStepOut() throws Exception {
        CompletableFuture<String> call = CompletableFuture.completedFuture("done");
        steps.execute(this::step);
        assertThat(steps.await(call)).isEqualTo("done");
        assertThat(ran).containsExactly(Thread.currentThread());
        elsewhere(() -> steps.execute(this::step));
        // Nobody waits any more.
        assertThat(ran).hasSize(2);
        assertThat(ran.get(1)).isNotEqualTo(Thread.currentThread());
    }

    @Test
    void keepsAnInterruptUntilTheCallHasEnded() {
        CompletableFuture<String> call = new CompletableFuture<>();
        Thread caller = Thread.currentThread();
        steps.execute(caller::interrupt);
        whenWaiting(caller, () -> steps.execute(() -> call.complete("done")));
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
