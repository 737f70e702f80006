package io.surewrite.unique.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTests {

    @ParameterizedTest
    @CsvSource({
        "login, login",
        "LOGIN, login",
        "logn, login", // one left out
        "loggin, login", // one too many
        "lofin, login", // another
        "lgoin, login", // two swapped
        "olgin, login", // the first two
        "logni, login", // the last two
        "emial, email",
        "mail, email",
        "i, id", // half of it
    })
    void findsWhatTakesTheFewestChanges(String written, String meant) {
        assertThat(NearestName.to(written, List.of("login", "email", "id"))).contains(meant);
    }

    @ParameterizedTest
    @CsvSource({"password", "xyz", "lxxxn", "nigol"})
    void findsNothingWhereMoreThanHalfWouldChange(String written) {
        assertThat(NearestName.to(written, List.of("login"))).isEmpty();
    }

    /** A swap is one change, so it comes before what takes two. */
    @Test
    void countsASwapOnce() {
        assertThat(NearestName.to("abcd", List.of("abdc", "abxy"))).contains("abdc");
        assertThat(NearestName.to("abcd", List.of("bacd", "xbcy"))).contains("bacd");
        assertThat(NearestName.to("ab", List.of("ba"))).contains("ba");
        assertThat(NearestName.to("abab", List.of("baba"))).contains("baba");
        assertThat(NearestName.to("abc", List.of("cab"))).isEmpty();
    }

    @Test
    void takesTheFirstByItsLettersOnlyWhereSeveralAreAsNear() {
        assertThat(NearestName.to("bog", List.of("dog", "bag", "log"))).contains("bag");
        assertThat(NearestName.to("abcd", List.of("abdc", "abce")))
                .as("a swap is no less")
                .contains("abce");
        assertThat(NearestName.to("abcd", List.of("aaxd", "abce")))
                .as("one before two")
                .contains("abce");
    }

    @Test
    void findsNothingWhereThereIsNothing() {
        assertThat(NearestName.to("login", List.of())).isEmpty();
    }
}
