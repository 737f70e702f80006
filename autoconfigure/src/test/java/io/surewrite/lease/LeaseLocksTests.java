package io.surewrite.lease;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;

class LeaseLocksTests extends LeaseLocksContract {

    private final ExecutorService driver = Executors.newFixedThreadPool(2);
    private final InMemoryLeaseStore store = new InMemoryLeaseStore(driver);

    @AfterEach
    void stopDriver() {
        driver.shutdown();
    }

    @Override
    CloseableLeaseLocks newProcess(LeaseSettings settings, LeaseListener listener) {
        return LeaseLocksFactory.over(store, settings, listener);
    }

    @Override
    void clearTable(String lease) {
        store.clear(lease);
    }
}
