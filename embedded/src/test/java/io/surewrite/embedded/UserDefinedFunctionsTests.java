package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.surewrite.embedded.EmbeddedCassandraException.Reason;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class UserDefinedFunctionsTests {

    private static final Jdk WITH = new Jdk(Path.of("twenty-three"), "23.0.2", 23);
    private static final Jdk WITHOUT = new Jdk(Path.of("twenty-five"), "25.0.3", 25);

    @Test
    void areRefusedWhereNothingGuardsThem() {
        refuses(builder().setting("user_defined_functions_enabled", true), "user_defined_functions_enabled");
        refuses(builder().setting("enable_user_defined_functions", "True"), "enable_user_defined_functions");
        refuses(
                builder()
                        .jvmArgument("-Dcassandra.config.allow_system_properties=true")
                        .jvmArgument("-Dcassandra.settings.user_defined_functions_enabled=Yes"),
                "user_defined_functions_enabled");
    }

    @Test
    void mayBeNamedAsSwitchedOff() {
        EmbeddedCassandraBuilder off = builder()
                .setting("user_defined_functions_enabled", false)
                .setting("enable_user_defined_functions", null);
        assertThatNoException().isThrownBy(() -> UserDefinedFunctions.check(off.options(), WITHOUT));
    }

    @Test
    void areLeftToCassandraWhereTheJdkHasASecurityManager() {
        EmbeddedCassandraBuilder on = builder().setting("user_defined_functions_enabled", true);
        assertThatNoException().isThrownBy(() -> UserDefinedFunctions.check(on.options(), WITH));
    }

    private static EmbeddedCassandraBuilder builder() {
        return EmbeddedCassandra.builder();
    }

    private static void refuses(EmbeddedCassandraBuilder server, String setting) {
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(() -> UserDefinedFunctions.check(server.options(), WITHOUT))
                .withMessageContaining(
                        setting + " is switched on, and JDK twenty-five (25.0.3) has no security manager")
                .withMessageContaining("install a JDK 11 or 17")
                .withMessageContaining(JdkFinder.PROPERTY)
                .satisfies(e -> assertThat(e.getReason()).isEqualTo(Reason.NO_USABLE_JDK));
    }
}
