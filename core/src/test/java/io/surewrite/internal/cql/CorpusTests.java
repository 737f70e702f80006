package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.internal.cql.IdempotenceVerdict.Refusal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CorpusTests {

    private static final TestSchema SCHEMA = new TestSchema();
    private static final IdempotenceCheck CHECK = new IdempotenceCheck(false);

    static Stream<Corpus.Entry> entries() {
        return Corpus.entries().stream();
    }

    @ParameterizedTest
    @MethodSource("entries")
    void judgesEveryStatementOfTheCorpusAsExpected(Corpus.Entry entry) {
        List<Refusal> refusals = CHECK.check(entry.cql(), SCHEMA).refusals();

        assertThat(refusals).extracting(Refusal::reason).containsExactlyElementsOf(entry.expected());
        assertThat(refusals).allSatisfy(refusal -> assertThat(entry.cql()).contains(refusal.token()));
    }

    @Test
    void theCorpusIsLargeAndNamesEveryReasonThatCqlAloneCanGive() {
        assertThat(Corpus.entries()).hasSizeGreaterThan(300);
        // A placeholder that is computed is Spring Data's, not CQL.
        assertThat(Corpus.entries().stream().flatMap(entry -> entry.expected().stream()))
                .containsAll(Arrays.stream(RefusalReason.values())
                        .filter(reason -> reason != RefusalReason.EXPRESSION)
                        .toList());
    }
}
