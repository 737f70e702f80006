package io.surewrite.alledeals.user;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserViewTests {

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {"Marta Nowak, MN", "Cher, C", "anna maria de jong, AJ", "🦊 fox, 🦊F", "null, K", "' ', K"})
    void makesInitialsOfFirstAndLastWord(String fullName, String initials) {
        assertThat(view(UUID.randomUUID(), fullName).initials()).isEqualTo(initials);
    }

    @Test
    void usesTheLoginWhereThereIsNoName() {
        assertThat(view(UUID.randomUUID(), null).name()).isEqualTo("kata");
    }

    @Test
    void givesEachIdOneOfSixTones() {
        assertThat(Stream.generate(UUID::randomUUID)
                        .limit(200)
                        .map(id -> view(id, "A B").tone()))
                .containsOnly(0, 1, 2, 3, 4, 5);
    }

    private static UserView view(UUID id, String fullName) {
        return UserView.of(new User(id, "kata", "kata@example.org", 34, fullName, null, null));
    }
}
