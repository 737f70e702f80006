package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.internal.lwt.SerialConsistencyRow;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseLocksTests extends LeaseLocksContract {

    private final InMemoryLeases table = new InMemoryLeases();

    @AfterEach
    void closeTable() {
        table.close();
    }

    @Test
    void checksAllNamesBeforeItAcquiresTheFirst() {
        CloseableLeaseLocks locks = table.process();
        assertThatThrownBy(() -> locks.tryAcquireAll(List.of("a", SerialConsistencyRow.NAME), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(locks.inspect("a")).as("a row").isEmpty();
    }

    @Override
    CloseableLeaseLocks newProcess(LeaseSettings settings, LeaseEvents events) {
        return table.process(settings, events);
    }

    @Override
    void clearTable(String lease) {
        table.clear(lease);
    }
}
