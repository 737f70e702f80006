package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import io.surewrite.embedded.EmbeddedCassandraException.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTests {

    @ParameterizedTest
    @ValueSource(ints = {0, 10, -1})
    void refusesANumberOfNodesThatCannotBe(int nodes) {
        refuses(EmbeddedCassandra.builder().nodes(nodes), "1 to 9 nodes, not " + nodes);
    }

    @Test
    void refusesOtherNonsense() {
        refuses(EmbeddedCassandra.builder().port(70_000), "Port 70000");
        refuses(EmbeddedCassandra.builder().version(" "), "version is empty");
        refuses(EmbeddedCassandra.builder().heapMegabytes(16), "16 MB");
        refuses(EmbeddedCassandra.builder().startupTimeout(Duration.ZERO), "must be positive");
    }

    @Test
    void takesSettingsOfTheServerFromSystemProperties() {
        String property = "surewrite.embedded.settings.paxos-variant";
        System.setProperty(property, "v1");
        try {
            EmbeddedCassandraBuilder builder = EmbeddedCassandra.builder();
            assertThat(builder.options().settings()).containsExactly(entry("paxos_variant", "v1"));
            assertThat(builder.setting("paxos_variant", "v2").options().settings())
                    .containsExactly(entry("paxos_variant", "v2"));
        } finally {
            System.clearProperty(property);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "AlleDeals, alledeals",
        "my-shop 2.0!, my_shop_2_0",
        "__x__, x",
        "7eleven, k7eleven",
        "Übung, bung",
        "'', k",
        "a23456789012345678901234567890123456789012345678901, a23456789012345678901234567890123456789012345678"
    })
    void makesAKeyspaceNameOfAnyText(String text, String name) {
        assertThat(Keyspaces.nameOf(text)).isEqualTo(name);
    }

    private static void refuses(EmbeddedCassandraBuilder builder, String message) {
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(builder::start)
                .satisfies(e -> assertThat(e.getReason()).isEqualTo(Reason.INVALID_OPTION))
                .withMessageContaining(message);
    }
}
