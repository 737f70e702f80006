package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.session.SessionBuilder;
import io.surewrite.cql.NeverRetryPolicy;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

class SurewriteRuntimeHintsTests {

    @Test
    void keepsWhatIsFoundByName() throws ReflectiveOperationException {
        RuntimeHints hints = new RuntimeHints();
        new SurewriteRuntimeHints().registerHints(hints, null);
        var constructor = NeverRetryPolicy.class.getConstructor(DriverContext.class, String.class);
        assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(constructor))
                .accepts(hints);
        Arrays.stream(SessionBuilder.class.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .forEach(setting -> assertThat(
                                RuntimeHintsPredicates.reflection().onFieldAccess(setting))
                        .as(setting.getName())
                        .accepts(hints));
        assertThat(RuntimeHintsPredicates.reflection().onType(CqlSessionBuilder.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.resource().forResource("io/surewrite/schema/lease.cql"))
                .accepts(hints);
    }
}
