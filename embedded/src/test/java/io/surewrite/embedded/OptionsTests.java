package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import io.surewrite.embedded.EmbeddedCassandraException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTests {

    @Test
    void countsTheNodesOfAllDataCenters() {
        EmbeddedCassandraBuilder builder =
                EmbeddedCassandra.builder().nodes(3).dataCenter("dc1", 2).dataCenter("dc2", 1);
        assertThat(builder.options().dataCenters()).containsExactly(entry("dc1", 2), entry("dc2", 1));
        assertThat(builder.options().nodes()).isEqualTo(3);
        refuses(builder.dataCenter("dc3", 7), "1 to 9 nodes, not 10");
        refuses(builder.dataCenter("dc3", 0), "1 to 9 nodes, not 0");
        refuses(EmbeddedCassandra.builder().dataCenter("the first", 1), "'the first' is not the name");
        assertThat(builder.nodes(2).options().dataCenters()).containsExactly(entry("datacenter1", 2));
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
        "__x__, x",
        "7eleven, k7eleven",
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
