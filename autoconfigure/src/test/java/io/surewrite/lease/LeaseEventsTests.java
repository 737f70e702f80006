package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What whoever reads the log of an application gets to see of its leases. */
@ExtendWith(OutputCaptureExtension.class)
class LeaseEventsTests {

    private final InMemoryLeases table = new InMemoryLeases();

    @AfterEach
    void close() {
        table.close();
    }

    @Test
    void hasALineWhenLeasesAreNotToBeHadAndOneWhenTheyAreAgain(CapturedOutput output) {
        LeaseLocks locks = table.process();
        Lease held = locks.tryAcquire("held").orElseThrow();
        assertThat(locks.tryAcquire("held")).isEmpty();
        held.release();
        assertThat(lines(output)).as("others may hold names").isEmpty();
        table.fallSilent();
        for (String name : List.of("nightly:0", "nightly:1")) {
            assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> locks.tryAcquire(name));
        }
        assertThat(lines(output))
                .singleElement()
                .asString()
                .contains("WARN")
                .contains("Leases are not to be had, the first was 'nightly:0'");
        table.speakAgain();
        locks.tryAcquire("weekly").orElseThrow().release();
        locks.tryAcquire("weekly").orElseThrow().release();
        assertThat(lines(output)).hasSize(2);
        assertThat(lines(output).get(1)).contains("INFO").contains("Leases are to be had again, after ");
        table.fallSilent();
        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> locks.tryAcquire("nightly:2"));
        assertThat(lines(output)).as("the next outage").hasSize(3);
    }

    private static List<String> lines(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("LeaseEvents") && !line.contains("DEBUG"))
                .toList();
    }
}
