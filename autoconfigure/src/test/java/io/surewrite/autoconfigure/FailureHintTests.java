package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.journal.JournalException;
import io.surewrite.lease.LeaseLostException;
import io.surewrite.unique.ClaimPendingException;
import io.surewrite.write.UnknownOutcomeException;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class FailureHintTests {

    @ParameterizedTest
    @MethodSource("ours")
    void leadsToThePageOfWhatARunnerMet(RuntimeException met, CapturedOutput output) {
        boolean reported = new FailureHint().reportException(new IllegalStateException("runner", met));

        String name = met.getClass().getSimpleName();
        assertThat(reported).isFalse();
        assertThat(output)
                .containsPattern("What %s means: https://\\S+/docs/troubleshooting\\.md#%s "
                        .formatted(name, name.toLowerCase(Locale.ROOT)));
    }

    static Stream<RuntimeException> ours() {
        return Stream.of(
                new ClaimPendingException("person.login", Duration.ofSeconds(1)),
                new JournalException("wrong"),
                new LeaseLostException("import", "lost", null),
                new UnknownOutcomeException("unknown", null));
    }

    @Test
    void saysNothingOfWhatIsNotOurs(CapturedOutput output) {
        new FailureHint().reportException(new IllegalStateException("runner"));

        assertThat(output).doesNotContain("means:");
    }
}
