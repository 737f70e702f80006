package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.session.SessionBuilder;
import io.surewrite.repository.LeasedMethod;
import io.surewrite.write.NeverRetryPolicy;
import io.surewrite.write.WriteTimestamps;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;

class SurewriteRuntimeHintsTests {

    @Test
    void keepsWhatIsFoundByName() throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new SurewriteSessionAutoConfiguration.Hints().registerHints(hints, null);
        for (Class<?> made : List.of(NeverRetryPolicy.class, WriteTimestamps.class)) {
            for (Constructor<?> constructor : made.getConstructors()) {
                assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(constructor))
                        .as("%s", constructor)
                        .accepts(hints);
            }
        }
        assertThat(RuntimeHintsPredicates.reflection()
                        .onFieldAccess(RepositoryFactoryBeanSupport.class.getDeclaredField("namedQueries")))
                .accepts(hints);
        Method target = Class.forName(LeasedMethod.KEY_ROOT).getMethod("getTarget");
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(target))
                .accepts(hints);
        Arrays.stream(SessionBuilder.class.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .forEach(setting -> assertThat(
                                RuntimeHintsPredicates.reflection().onFieldAccess(setting))
                        .as(setting.getName())
                        .accepts(hints));
        assertThat(RuntimeHintsPredicates.reflection().onType(CqlSessionBuilder.class))
                .accepts(hints);
        Resource[] tables =
                new PathMatchingResourcePatternResolver().getResources("classpath*:io/surewrite/schema/*.cql");
        assertThat(tables)
                .isNotEmpty()
                .allSatisfy(table -> assertThat(RuntimeHintsPredicates.resource()
                                .forResource("io/surewrite/schema/" + table.getFilename()))
                        .accepts(hints));
    }
}
