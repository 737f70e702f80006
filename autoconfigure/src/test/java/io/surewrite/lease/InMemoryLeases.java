package io.surewrite.lease;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Leases of several processes on a table in this JVM. */
public final class InMemoryLeases implements AutoCloseable {

    private final ExecutorService driver = Executors.newFixedThreadPool(2);
    private final List<CloseableLeaseLocks> processes = new CopyOnWriteArrayList<>();
    private final InMemoryLeaseStore store = new InMemoryLeaseStore(driver);

    /** {@return leases of one more process} */
    public CloseableLeaseLocks process(LeaseListener listener) {
        return process(LeaseLocksContract.settings("somebody"), listener);
    }

    public CloseableLeaseLocks process() {
        return process(new LeaseListener() {});
    }

    CloseableLeaseLocks process(LeaseSettings settings, LeaseListener listener) {
        CloseableLeaseLocks process = LeaseLocksFactory.over(store, settings, listener);
        processes.add(process);
        return process;
    }

    /** Gives no clear answer to one more of the next renewals. */
    void loseAnswer(boolean applied) {
        store.loseAnswer(applied);
    }

    /** Takes whoever holds a name out of the table. */
    public void clear(String name) {
        store.clear(name);
    }

    @Override
    public void close() {
        processes.forEach(CloseableLeaseLocks::close);
        driver.shutdown();
    }
}
