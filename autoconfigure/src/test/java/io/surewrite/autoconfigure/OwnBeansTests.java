package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** An application's own bean takes the place of ours. No bean is made here, so there is no server. */
class OwnBeansTests {

    private static final Path API = Path.of("..", "docs", "api.txt");

    private static final List<Class<?>> CONFIGURATIONS = configurations();

    /** What has no type of the API is a way of ours into Spring, or an entry of a list that an application adds to. */
    @Test
    void everyBeanIsReplacedByAnOwnOneOfItsType() throws IOException {
        Set<String> offered = definedBy(context -> {});
        assertThat(offered).hasSizeGreaterThan(20);
        Set<String> left = definedBy(context -> methods()
                .filter(OwnBeansTests::isReplaceable)
                .forEach(bean -> own(context, ownName(bean), bean.getReturnType())));
        List<String> api = Files.readAllLines(API);
        assertThat(methods()
                        .filter(bean ->
                                left.contains(bean.getName()) && !bean.getName().equals("surewriteSchema")))
                .noneMatch(bean ->
                        isReplaceable(bean) || api.contains(bean.getReturnType().getName()));
    }

    /** The names of those of our beans that an application has. */
    private static Set<String> definedBy(Consumer<GenericApplicationContext> own) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of(
                            "surewrite.backlog.enabled=true",
                            "surewrite.backlog.directory=nowhere",
                            "surewrite.journal.enabled=true",
                            "surewrite.retry.circuit-breaker.enabled=true",
                            "management.endpoints.web.exposure.include=*")
                    .applyTo(context);
            own(context, "session", CqlSession.class);
            own(context, "registry", MeterRegistry.class);
            own(context, "observations", ObservationRegistry.class);
            own.accept(context);
            context.register(Configurations.getClasses(AutoConfigurations.of(CONFIGURATIONS.toArray(Class<?>[]::new))));
            context.refreshForAotProcessing(new RuntimeHints()); // defines all beans, and makes none
            return methods()
                    .filter(bean -> context.containsBeanDefinition(bean.getName())
                            && !"own"
                                    .equals(context.getBeanDefinition(bean.getName())
                                            .getAttribute("own")))
                    .map(Method::getName)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static boolean isReplaceable(Method bean) {
        return AnnotatedElementUtils.hasAnnotation(bean, ConditionalOnMissingBean.class);
    }

    /** A condition on a name asks for a bean of that name. */
    private static String ownName(Method bean) {
        String[] names = AnnotatedElementUtils.findMergedAnnotation(bean, ConditionalOnMissingBean.class)
                .name();
        return names.length == 0 ? "own " + bean.getName() : names[0];
    }

    private static void own(GenericApplicationContext context, String name, Class<?> type) {
        RootBeanDefinition own = new RootBeanDefinition();
        own.setTargetType(type);
        own.setAttribute("own", "own");
        context.registerBeanDefinition(name, own);
    }

    private static Stream<Method> methods() {
        return CONFIGURATIONS.stream()
                .filter(type -> type.getName().startsWith("io.surewrite."))
                .flatMap(type -> Stream.concat(Stream.of(type), Arrays.stream(type.getDeclaredClasses())))
                .flatMap(type -> Stream.concat(Stream.of(type), Arrays.stream(type.getDeclaredClasses())))
                .distinct()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Bean.class));
    }

    private static List<Class<?>> configurations() {
        List<Class<?>> all =
                new ArrayList<>(List.of(CassandraAutoConfiguration.class, DataCassandraAutoConfiguration.class));
        ClassLoader loader = OwnBeansTests.class.getClassLoader();
        for (String name : ImportCandidates.load(AutoConfiguration.class, loader)) {
            if (name.startsWith("io.surewrite.autoconfigure.")) {
                all.add(ClassUtils.resolveClassName(name, loader));
            }
        }
        return all;
    }
}
