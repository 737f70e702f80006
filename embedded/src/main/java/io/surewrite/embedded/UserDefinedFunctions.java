package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.NO_USABLE_JDK;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Cassandra guards user-defined functions with Java's security manager: without one they could do anything. */
final class UserDefinedFunctions {

    /** The setting's name, and the one it had before Cassandra 4.1. */
    private static final List<String> SWITCHES =
            List.of("user_defined_functions_enabled", "enable_user_defined_functions");

    /** What cassandra.yaml takes for true. */
    private static final Set<String> TRUE = Set.of("true", "yes", "on");

    private UserDefinedFunctions() {}

    /** Refuses to switch them on where nothing guards them. */
    static void check(Options options, Jdk jdk) {
        if (jdk.hasSecurityManager()) {
            return;
        }
        for (String name : SWITCHES) {
            String property = "-Dcassandra.settings." + name + "=";
            if (isTrue(options.settings().get(name))
                    || options.jvmArguments().stream()
                            .anyMatch(argument ->
                                    argument.startsWith(property) && isTrue(argument.substring(property.length())))) {
                throw new EmbeddedCassandraException(
                        NO_USABLE_JDK,
                        "%s is switched on, and JDK %s has no security manager, with which Cassandra guards these functions"
                                .formatted(name, jdk),
                        "Leave user-defined functions switched off, or install a JDK %s in a usual place, or set %s to the home of one."
                                .formatted(SupportedJdks.of(options.version()), JdkFinder.PROPERTY));
            }
        }
    }

    private static boolean isTrue(@Nullable Object value) {
        return value != null && TRUE.contains(value.toString().trim().toLowerCase(Locale.ROOT));
    }
}
