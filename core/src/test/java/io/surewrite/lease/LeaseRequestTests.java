package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.surewrite.internal.lwt.SerialConsistencyRow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseRequestTests {

    private static final String SMILE = "\uD83D\uDE00";

    @Test
    void refusesHalfOfOneWhereATextWasCut() {
        String half = SMILE.substring(0, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseRequest.of("item " + half))
                .withMessageContaining("The name of a lease is not valid Unicode");
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseRequest.of(SMILE + SMILE.substring(1)));
    }

    @Test
    void refusesANameThatIsBlankTooLongOrReserved() {
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseRequest.of(" "));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseRequest.of("n".repeat(LeaseRequest.MAX_NAME_LENGTH + 1)));
        assertThat(LeaseRequest.of("n".repeat(LeaseRequest.MAX_NAME_LENGTH)).name())
                .hasSize(LeaseRequest.MAX_NAME_LENGTH);
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseRequest.of(SerialConsistencyRow.NAME));
    }

    @Test
    void refusesTimesThatNoLeaseCanHave() {
        LeaseRequest request = LeaseRequest.of("item");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.withTtl(Duration.ofMillis(1999)))
                .withMessageContaining("at least 2 s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.withTtl(Duration.ofMillis(2500)))
                .withMessageContaining("whole seconds");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.withHoldAtLeast(Duration.ofMillis(-1)))
                .withMessageContaining("holdAtLeast must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.withHoldAtLeast(Duration.ofDays(366)))
                .withMessageContaining("holdAtLeast must be at most a year");
        assertThat(request.withHoldAtLeast(Duration.ZERO)).isEqualTo(request);
    }
}
