package io.surewrite.lease.tenure;

import io.surewrite.lease.CloseableLeaseLocks;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseSettings;
import org.junit.jupiter.api.AfterEach;

class LeaseLocksTests extends LeaseLocksContract {

    private final InMemoryLeases table = new InMemoryLeases();

    @AfterEach
    void closeTable() {
        table.close();
    }

    @Override
    CloseableLeaseLocks newProcess(LeaseSettings settings, LeaseListener listener) {
        return table.process(settings, listener);
    }

    @Override
    void clearTable(String lease) {
        table.clear(lease);
    }
}
