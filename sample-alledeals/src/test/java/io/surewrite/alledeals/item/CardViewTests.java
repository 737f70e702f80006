package io.surewrite.alledeals.item;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CardViewTests {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @ParameterizedTest
    @CsvSource({"0, None left", "1, The only one", "2, Only 2 left", "3, Only 3 left", "4, 4 available"})
    void tellsTheStockInWords(int available, String words) {
        assertThat(view(available, Duration.ofDays(1), "1").stock()).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({
        "PT30M, Less than an hour left",
        "PT1H, 1 hour left",
        "PT47H59M, 47 hours left",
        "PT48H, 2 days left",
        "PT61H, 3 days left",
        "P30D, 30 days left",
        "PT0S, Ended",
        "-PT1S, Ended"
    })
    void tellsTheTimeThatIsLeftInWords(Duration left, String words) {
        assertThat(view(5, left, "1").ends()).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0.01 | €0.01", "12.5 | €12.50", "1250 | €1,250.00", "99999999.99 | €99,999,999.99"})
    void writesPricesInEuro(String price, String words) {
        assertThat(view(5, Duration.ofDays(1), price).price()).isEqualTo(words);
    }

    @Test
    void isOpenUntilItsEndUnlessNothingIsLeft() {
        assertThat(view(5, Duration.ofSeconds(1), "1").open()).isTrue();
        assertThat(view(5, Duration.ZERO, "1").open()).isFalse();
        CardView soldOut = new CardView(item(0, Duration.ofDays(1), "1", true), NOW);
        assertThat(soldOut.open()).isFalse();
        assertThat(soldOut.ends()).isEqualTo("Sold out");
    }

    @Test
    void writesDatesOutAndSplitsParagraphs() {
        assertThat(view(5, Duration.ofDays(7), "1").endDate()).isEqualTo("28 November 2026, 12:00 UTC");
        assertThat(item(5, Duration.ofDays(7), "1", false).paragraphs()).containsExactly("One.", "Two.");
    }

    private static CardView view(int available, Duration left, String price) {
        return new CardView(item(available, left, price, false), NOW);
    }

    private static Item item(int available, Duration left, String price, boolean finished) {
        return new Item(
                UUID.randomUUID(),
                UUID.randomUUID(),
                "Lamp",
                "One.\r\n\r\nTwo.",
                new BigDecimal(price),
                10,
                available,
                NOW,
                NOW.plus(left),
                Set.of(),
                finished);
    }
}
