package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.unique.UniqueBy.Normalisation;
import io.surewrite.unique.UniqueBy.NullRule;
import io.surewrite.unique.UniqueConstraint.UniqueComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UniqueValueTests {

    private static final UniqueConstraint ONE = UniqueConstraint.on("one", "a");
    private static final UniqueConstraint TWO = UniqueConstraint.on("two", "a", "b");

    private static UniqueConstraint normalised(UniqueNormaliser normaliser) {
        return new UniqueConstraint(
                "normalised", List.of(UniqueComponent.column("a").normalised(normaliser)), NullRule.NO_CLAIM);
    }

    private static UniqueValue value(UniqueConstraint constraint, @Nullable Object... values) {
        return constraint.value(Arrays.asList(values));
    }

    @Test
    void keepsComponentsApart() {
        assertThat(value(TWO, "a", "bc").encoded()).isEqualTo("1:a2:bc");
        assertThat(value(TWO, "ab", "c").encoded()).isEqualTo("2:ab1:c");
        assertThat(value(TWO, "1:a", "").encoded())
                .isNotEqualTo(value(TWO, "", "1:a").encoded());
        assertThat(value(TWO, "", "").encoded()).isEqualTo("0:0:");
    }

    @Test
    void tellsNullFromEverythingElse() {
        assertThat(value(TWO, "", null).encoded()).isEqualTo("0:-");
        assertThat(value(TWO, "-", null).encoded())
                .isNotEqualTo(value(TWO, null, "-").encoded());
        assertThat(TWO.claims(value(TWO, "a", null))).isFalse();
        UniqueConstraint equalNulls = new UniqueConstraint("two", TWO.components(), NullRule.EQUAL);
        assertThat(equalNulls.claims(value(TWO, "a", null))).isTrue();
    }

    /** What is blank counts as null where that is asked for, and nowhere else. */
    @Test
    void leavesBlankValuesUnclaimedWhereThatIsAskedFor() {
        UniqueConstraint noBlanks = new UniqueConstraint("two", TWO.components(), NullRule.NO_CLAIM_IF_BLANK);
        assertThat(noBlanks.claims(value(TWO, "a", "b"))).isTrue();
        assertThat(noBlanks.claims(value(TWO, "", "b"))).isFalse();
        assertThat(noBlanks.claims(value(TWO, "a", " \t"))).isFalse();
        assertThat(noBlanks.claims(value(TWO, "a", null))).isFalse();
        assertThat(TWO.claims(value(TWO, "", " "))).isTrue();
    }

    @Test
    void readsWhatItWrote() {
        for (UniqueValue value : List.of(value(TWO, "a:", "2:b"), value(TWO, null, ""), value(TWO, "😀", null))) {
            assertThat(UniqueValue.decode(value.encoded()).parts()).isEqualTo(value.parts());
        }
        assertThatIllegalArgumentException().isThrownBy(() -> UniqueValue.decode("9:abc"));
    }

    @Test
    void comparesWhatTheNormaliserMakesOfIt() {
        assertThat(value(normalised(Normalisation.CASE_FOLDED), "STRASSE"))
                .isEqualTo(value(normalised(Normalisation.CASE_FOLDED), "straße"));
        assertThat(value(normalised(Normalisation.TRIMMED), "\u2003Tom ").parts())
                .containsExactly("Tom");
        assertThat(value(normalised(Normalisation.NFC), "e\u0301").parts()).containsExactly("\u00e9");
        UniqueConstraint all =
                normalised(Normalisation.NFC.then(Normalisation.TRIMMED).then(Normalisation.CASE_FOLDED));
        assertThat(value(all, " E\u0301 ").parts()).containsExactly("\u00e9");
        assertThat(value(all, " E\u0301 ")).isEqualTo(value(all, "\u00e9"));
    }

    @Test
    void refusesHalfOfASurrogatePair() {
        for (String broken : List.of("\ud83d", "a\ude00", "\ud83d\ud83d\ude00")) {
            assertThatThrownBy(() -> value(ONE, broken))
                    .isInstanceOf(UnclaimableValueException.class)
                    .hasMessageContaining("not valid Unicode in 'a'");
        }
        assertThat(value(ONE, "\ud83d\ude00").parts()).containsExactly("\ud83d\ude00");
    }

    @Test
    void refusesMoreThan32KilobytesWithoutShowingThem() {
        String longest = "x".repeat(UniqueValue.MAX_BYTES - "32762:".length());
        assertThat(value(ONE, longest).encoded()).hasSize(UniqueValue.MAX_BYTES);
        assertThatThrownBy(() -> value(ONE, longest + "x"))
                .isInstanceOf(UnclaimableValueException.class)
                .hasMessageContaining("is 32769 bytes long")
                .message()
                .doesNotContain("xx");
        assertThatThrownBy(() -> value(ONE, "é".repeat(20_000))).isInstanceOf(UnclaimableValueException.class);
    }

    private enum Colour {
        RED;

        @Override
        public String toString() {
            return "red";
        }
    }

    @Test
    void comparesWhatTheTableStores() throws Exception {
        assertThat(value(ONE, (byte) -1).encoded()).isEqualTo("2:-1");
        assertThat(value(ONE, 7L)).isEqualTo(value(ONE, (short) 7)).isEqualTo(value(ONE, 7));
        assertThat(value(ONE, 0.0)).isEqualTo(value(ONE, -0.0));
        assertThat(value(ONE, 0.0).encoded()).isEqualTo("3:0.0");
        assertThat(value(ONE, -0.0f)).isEqualTo(value(ONE, 0.0f));
        assertThat(value(ONE, 1.5f).encoded()).isEqualTo("3:1.5");
        assertThat(value(ONE, 2.5).encoded()).isEqualTo("3:2.5");
        assertThat(value(ONE, true).encoded()).isEqualTo("4:true");
        assertThat(value(ONE, BigInteger.TEN).encoded()).isEqualTo("2:10");
        assertThat(value(ONE, LocalDate.EPOCH).encoded()).isEqualTo("10:1970-01-01");
        assertThat(value(ONE, LocalTime.NOON).encoded()).isEqualTo("5:12:00");
        assertThat(value(ONE, new BigDecimal("0.00")).encoded()).isEqualTo("1:0");
        assertThat(value(ONE, new BigDecimal("1E+1000000000")).encoded()).hasSizeLessThan(30);
        assertThat(value(ONE, new BigDecimal("1.50")).encoded()).isEqualTo("3:1.5");
        assertThat(value(ONE, Instant.ofEpochSecond(1, 2_345_678)).encoded()).isEqualTo("4:1002");
        assertThat(value(ONE, Colour.RED).encoded()).isEqualTo("3:RED");
        assertThat(value(ONE, InetAddress.getByAddress(new byte[] {10, 0, 0, 1}))
                        .encoded())
                .isEqualTo("8:10.0.0.1");
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {0, 1, -1});
        assertThat(value(ONE, bytes).encoded()).isEqualTo("6:0001ff");
        assertThat(bytes.remaining()).isEqualTo(3);
        assertThatThrownBy(() -> value(ONE, new Object()))
                .isInstanceOf(UnclaimableValueException.class)
                .hasMessageContaining("has no comparable form: 'a' is a java.lang.Object");
    }
}
