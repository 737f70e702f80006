package io.surewrite.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.session.SessionBuilder;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SureSessionBuilderTests {

    /** Fails when the driver's builder learns something: then look whether it may be taken over as the others are. */
    @Test
    void takesOverAllThatWasSet() throws Exception {
        CqlSessionBuilder plain = CqlSession.builder();
        CqlSessionBuilder builder = CqlSession.builder()
                .withConfigLoader(DriverConfigLoader.fromString(""))
                .addContactPoint(InetSocketAddress.createUnresolved("db.example", 9042))
                .withKeyspace(CqlIdentifier.fromInternal("shop"))
                .withCloudSecureConnectBundle(InputStream.nullInputStream())
                .withAuthCredentials("user", "password")
                .withSslContext(SSLContext.getDefault())
                .withLocalDatacenter("dc1");
        CqlSessionBuilder sure = SureSessionBuilder.from(builder);
        assertThat(instanceFields(CqlSessionBuilder.class)).isEmpty();
        for (Field setting : instanceFields(SessionBuilder.class)) {
            setting.setAccessible(true);
            assertThat(setting.get(sure))
                    .as(setting.getName())
                    .isSameAs(setting.get(builder))
                    .as("%s was set", setting.getName())
                    .isNotEqualTo(setting.get(plain));
        }
        assertThat(sure.withKeyspace("other")).isSameAs(sure);
    }

    @Test
    void refusesABuilderThatMayBuildInItsOwnWay() {
        assertThatThrownBy(() -> SureSessionBuilder.from(new CqlSessionBuilder() {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("may build sessions in its own way");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "version = V5"})
    void refusesSnappyWithV5(String version) {
        DriverConfigLoader config = DriverConfigLoader.fromString(
                "datastax-java-driver.advanced.protocol { compression = snappy, %s }".formatted(version));
        CqlSessionBuilder builder =
                SureSessionBuilder.from(CqlSession.builder()).withConfigLoader(config);
        assertThatThrownBy(builder::build)
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("V5 has no Snappy")
                .hasMessageContaining("spring.cassandra.compression=lz4");
    }

    private static List<Field> instanceFields(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers())
                        && !field.getName().equals("self"))
                .toList();
    }
}
