package io.surewrite.repository;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The beans that were made before a post-processor of ours was there: it has never seen them. What a bean that Spring makes early takes
 * along is made early, too.
 */
final class EarlyBeans {

    /** Has replaced beans by what a test gives; nobody can tell those from early ones. */
    private static final String TESTS =
            "org.springframework.test.context.bean.override.internalBeanOverridePostProcessor";

    private final ConfigurableListableBeanFactory beans;
    private volatile @Nullable Set<String> early;

    EarlyBeans(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Called with each bean that the post-processor sees: what is there at the first one was made without it. */
    void seen() {
        if (early == null) {
            early = Set.copyOf(Arrays.asList(beans.getSingletonNames()));
        }
    }

    boolean has(String name) {
        seen();
        return Objects.requireNonNull(early).contains(name);
    }

    /** Whether a bean of which there are many was taken along by one that was made early. */
    boolean have(String name) {
        return Arrays.stream(beans.getDependentBeans(name)).anyMatch(this::has);
    }

    /** None where a test has replaced beans. */
    Set<String> all() {
        return beans.containsSingleton(TESTS)
                ? Set.of()
                : Stream.of(beans.getBeanDefinitionNames(), beans.getSingletonNames())
                        .flatMap(Arrays::stream)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    record Why(String problem, String fix) {

        @Override
        public String toString() {
            return problem + ". Fix: " + fix;
        }
    }

    Why why(String name) {
        if (!beans.containsBeanDefinition(name) || !(has(name) || have(name))) {
            return new Why(
                    "the bean '%s' was not made by Spring, or something took its proxy away".formatted(name),
                    "let Spring make it from its definition, and let the proxy be");
        }
        Object bean = beans.getSingleton(name);
        if (bean instanceof BeanPostProcessor || bean instanceof BeanFactoryPostProcessor) {
            return new Why(
                    "the bean '%s' helps to make the other beans, so that it gets no proxy".formatted(name),
                    "put the method into a bean of its own");
        }
        List<String> users = users(name);
        String last = users.isEmpty() ? "that" : "'" + users.get(users.size() - 1) + "'";
        String asked = users.isEmpty()
                ? "something asked the bean factory for it, as a BeanFactoryPostProcessor can"
                : "it was made for " + users.stream().map(this::shown).collect(Collectors.joining(", for "));
        return new Why(
                "the bean '%s' was made before Surewrite could put anything around it: %s".formatted(name, asked),
                "let %s ask for it when it needs it, by an ObjectProvider or @Lazy at the injection point; make a @Bean method static that makes a post-processor, in a configuration class of its own"
                        .formatted(last));
    }

    /** From the one that has it injected to the one that Spring has made first. */
    private List<String> users(String name) {
        List<String> users = new ArrayList<>();
        for (String at = user(name, users); at != null; at = user(at, users)) {
            users.add(at);
        }
        return users;
    }

    private @Nullable String user(String name, List<String> known) {
        List<String> users = Arrays.stream(beans.getDependentBeans(name))
                .filter(user -> !known.contains(user) && beans.containsBeanDefinition(user))
                .toList();
        return users.stream()
                .filter(this::has)
                .findFirst()
                .or(() -> users.stream()
                        .filter(user -> known.isEmpty() && beans.isFactoryBean(user))
                        .findFirst())
                .orElse(null);
    }

    private String shown(String name) {
        Class<?> type = beans.getType(name, false);
        return type == null ? "'" + name + "'" : "'%s' (%s)".formatted(name, type.getSimpleName());
    }
}
