package io.surewrite.unique;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Runs the steps of one call on the thread that waits for it, so that they may block, and find there what belongs to that
 * thread.
 */
final class CallerSteps implements Executor {

    private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private boolean over;

    @Override
    public void execute(Runnable step) {
        synchronized (this) {
            if (!over) {
                queue.add(step);
                return;
            }
        }
        step.run();
    }

    /**
     * Waits for the call and runs its steps meanwhile.
     *
     * @return what the stage became
     * @throws RuntimeException what the stage failed with
     */
    <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> call = stage.toCompletableFuture();
        var unused = call.whenComplete((value, failure) -> queue.add(() -> {})); // wakes the thread
        boolean interrupted = false;
        while (!call.isDone()) {
            try {
                queue.take().run();
            } catch (InterruptedException later) {
                interrupted = true; // what was sent may be in effect: the caller must hear how it ends
            }
        }
        end();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return Failures.join(call);
    }

    private void end() {
        synchronized (this) {
            over = true;
        }
        for (Runnable step = queue.poll(); step != null; step = queue.poll()) {
            step.run();
        }
    }
}
