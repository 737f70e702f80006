package io.surewrite.cql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConditionalAnswerTests {

    private static final RuntimeException FAILURE = new IllegalStateException("away");

    @Test
    void saysWhatAnOutcomeMeans() {
        assertThat(answer(new WriteOutcome.Applied())).isEqualTo(new ConditionalAnswer.Done<>());
        assertThat(answer(new WriteOutcome.Unknown(FAILURE))).isEqualTo(new ConditionalAnswer.Unclear<>(FAILURE));
    }

    @Test
    void isUnclearAboutAWriteWithoutEffectSoThatTheProtocolGoesOnAsIfItMightHaveOne() {
        assertThat(answer(new WriteOutcome.Failed(FAILURE))).isEqualTo(new ConditionalAnswer.Unclear<>(FAILURE));
    }

    @Test
    void readsNoRowWhereThereIsNone() {
        assertThat(answer(new WriteOutcome.Rejected(null))).isEqualTo(new ConditionalAnswer.Refused<>(null));
    }

    private static ConditionalAnswer<String> answer(WriteOutcome outcome) {
        return ConditionalAnswer.of(outcome, row -> {
            throw new AssertionError("there is no row");
        });
    }
}
