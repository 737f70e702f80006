package io.surewrite.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a start says of what it refuses. */
class InvalidConfigurationExceptionTests {

    @Test
    void saysOnceWhatIsWrongWithSeveralMethodsOfOneType() {
        InvalidConfigurationException all = InvalidConfigurationException.all(
                List.of(appends("Users.saveAll"), appends("Users.save"), appends("Users.save")));
        assertThat(all.subject()).isEqualTo("Users.save, Users.saveAll");
        assertThat(all.problem()).isEqualTo("Users.save, Users.saveAll cannot be repeated:\n - it appends");
        assertThat(all.fix()).isEqualTo("Use a set.");
    }

    @Test
    void hasAllThatDiffer() {
        InvalidConfigurationException one = appends("Users.save");
        InvalidConfigurationException other = appends("Items.save");
        InvalidConfigurationException setting =
                new InvalidConfigurationException("a.b", "a.b is 1.", "Set it.", "other");
        InvalidConfigurationException all = InvalidConfigurationException.all(
                List.of(setting, InvalidConfigurationException.all(List.of(one, other)), one));
        assertThat(all.refusals()).containsExactly(setting, other, one);
        assertThat(all).hasCause(setting).hasMessageStartingWith("3 refusals:\n\na.b is 1.\nFix: Set it.");
        assertThat(all.problem()).contains("\n\nItems.save cannot", "Fix: Use a set.\n\n");
        assertThat(all.page()).isEqualTo("start");
        assertThat(InvalidConfigurationException.all(List.of(one, other)).page())
                .as("of both")
                .isEqualTo("idempotence");
    }

    private static InvalidConfigurationException appends(String method) {
        return new InvalidConfigurationException(
                method, method + " cannot be repeated:\n - it appends", "Use a set.", "idempotence");
    }
}
