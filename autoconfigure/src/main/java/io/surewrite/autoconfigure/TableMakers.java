package io.surewrite.autoconfigure;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.cql.session.init.SessionFactoryInitializer;
import org.springframework.util.ClassUtils;

/**
 * The beans that make an application's tables while it starts. A repository that looks at its table waits for them, although
 * nothing that it is made of needs them. They are asked for when it is made: a dependency of the definitions would end the start where
 * one of these beans uses a repository itself.
 */
record TableMakers(ConfigurableListableBeanFactory beans, Environment environment) implements Runnable {

    private static final boolean HAS_DETECTORS = ClassUtils.isPresent(
            "org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector",
            TableMakers.class.getClassLoader());

    @Override
    public void run() {
        names().forEach(this::make);
    }

    private Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        // A session factory performs spring.cassandra.schema-action, and runs its populators.
        names.addAll(List.of(beans.getBeanNamesForType(SessionFactory.class, true, false)));
        names.addAll(List.of(beans.getBeanNamesForType(SessionFactoryInitializer.class, true, false)));
        if (HAS_DETECTORS) {
            names.addAll(Detected.names(beans, environment));
        }
        return names;
    }

    private void make(String name) {
        if (beans.isCurrentlyInCreation(name)) {
            return; // it uses the repository, and so comes after it
        }
        try {
            var unused = beans.getBean(name);
        } catch (BeansException failure) {
            if (!failure.contains(BeanCurrentlyInCreationException.class)) {
                throw failure;
            }
        }
    }

    /** What Spring Boot and others declare to initialize databases. Apart, because Boot's module for it is optional. */
    private static final class Detected {

        static Set<String> names(ConfigurableListableBeanFactory beans, Environment environment) {
            Set<String> names = new LinkedHashSet<>();
            SpringFactoriesLoader.forDefaultResourceLocation(beans.getBeanClassLoader())
                    .load(DatabaseInitializerDetector.class, ArgumentResolver.of(Environment.class, environment))
                    .forEach(detector -> names.addAll(detector.detect(beans)));
            return names;
        }
    }
}
