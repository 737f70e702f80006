package io.surewrite.autoconfigure;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.springframework.beans.factory.DisposableBean;

/**
 * The thread that starts the re-runs of conditional writes. No bean itself: with one executor in the context Spring Boot
 * would leave its own out.
 */
final class SettlementScheduler implements DisposableBean {

    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "surewrite-settlement");
        thread.setDaemon(true);
        return thread;
    });

    ScheduledExecutorService executor() {
        return executor;
    }

    @Override
    public void destroy() {
        // What waits for its turn has it, and gives up when it cannot be put off again: somebody may wait for it.
        executor.shutdown();
    }
}
