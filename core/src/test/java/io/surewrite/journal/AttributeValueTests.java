package io.surewrite.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AttributeValueTests {

    static List<ThrowingCallable> typedNulls() {
        return List.of(
                () -> AttributeValue.of(new AttributeValue.Text(null)),
                () -> AttributeValue.of(new AttributeValue.Numeric(null)),
                () -> AttributeValue.of(new AttributeValue.Timestamp(null)),
                () -> AttributeValue.of(new AttributeValue.Json(null)));
    }

    @ParameterizedTest
    @MethodSource("typedNulls")
    void refusesATypedNull(ThrowingCallable construction) {
        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(construction)
                .withMessageContaining("AttributeValue.None");
    }

    @Test
    void keepsWordsAndNumbersAtTheirEnds() {
        for (AttributeValue value : List.of(
                new AttributeValue.Text("null"),
                new AttributeValue.Json("null"),
                new AttributeValue.Numeric(new BigDecimal("-1E-2147483647")),
                new AttributeValue.Timestamp(Instant.MAX),
                new AttributeValue.Timestamp(Instant.MIN))) {
            assertThat(CassandraAttributeJournal.parse(CassandraAttributeJournal.format(value)))
                    .isEqualTo(value);
        }
    }
}
