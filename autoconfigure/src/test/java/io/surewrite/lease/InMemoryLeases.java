package io.surewrite.lease;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Leases of several processes on a table in this JVM. */
public final class InMemoryLeases implements AutoCloseable {

    private final ExecutorService driver = Executors.newFixedThreadPool(2);
    private final InMemoryLeaseStore store = new InMemoryLeaseStore(driver);

    /** {@return leases of one more process} */
    public CloseableLeaseLocks process(LeaseListener listener) {
        return process(LeaseLocksContract.settings("somebody"), listener);
    }

    public CloseableLeaseLocks process() {
        return process(new LeaseListener() {});
    }

    CloseableLeaseLocks process(LeaseSettings settings, LeaseListener listener) {
        return LeaseLocksFactory.over(store, settings, listener);
    }

    /** Takes whoever holds a name out of the table. */
    public void clear(String name) {
        store.clear(name);
    }

    @Override
    public void close() {
        driver.shutdown();
    }
}
