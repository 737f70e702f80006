package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.context.DriverContext;
import io.surewrite.cql.NeverRetryPolicy;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

class SurewriteRuntimeHintsTests {

    @Test
    void keepsWhatIsFoundByName() throws NoSuchMethodException {
        RuntimeHints hints = new RuntimeHints();
        new SurewriteRuntimeHints().registerHints(hints, null);
        var constructor = NeverRetryPolicy.class.getConstructor(DriverContext.class, String.class);
        assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(constructor))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.resource().forResource("io/surewrite/schema/lease.cql"))
                .accepts(hints);
    }
}
