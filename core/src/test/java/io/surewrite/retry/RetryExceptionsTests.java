package io.surewrite.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a caller may ask of what it catches. */
class RetryExceptionsTests {

    @Test
    void anOpenCircuitSaysHowLongItRemainsSo() {
        WriteCircuitOpenException open = new WriteCircuitOpenException("Users.save", Duration.ofSeconds(3));
        assertThat(open.remainsOpen()).isEqualTo(Duration.ofSeconds(3));
        assertThat(open).hasMessageStartingWith("Users.save was not sent");
        assertThat(Circuit.NONE.remainsOpen()).isZero();
        assertThat(Circuit.NONE.tryPass()).isTrue();
    }
}
