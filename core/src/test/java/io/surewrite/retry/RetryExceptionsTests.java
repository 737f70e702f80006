package io.surewrite.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
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

    @Test
    void aRefusedMethodHasItsReasonsEachOnALineOfItsOwn() {
        IdempotentMethodException refused =
                new IdempotentMethodException("Users.save", List.of("it appends", "it is a counter"));
        assertThat(refused.method()).isEqualTo("Users.save");
        assertThat(refused.reasons()).containsExactly("it appends", "it is a counter");
        assertThat(refused.getMessage().lines())
                .containsExactly("Users.save cannot be @Idempotent:", " - it appends", " - it is a counter");
    }
}
