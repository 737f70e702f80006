package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.lease.WithLease;
import io.surewrite.retry.Idempotent;
import io.surewrite.write.InvalidConfigurationException;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.GenericBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.NestedExceptionUtils;

/** An annotation where no proxy reaches ends the start. */
class UnreachableMethodsTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Advice.class);

    @ParameterizedTest
    @CsvSource({
        "FinalLease, it is final",
        "FinalOfWholeClass, it is final",
        "PrivateLease, it is private",
        "StaticLease, it is static",
        "Constructed, past the proxy",
        "Destroyed, past the proxy",
        "Initializing, past the proxy",
        "Disposable, past the proxy"
    })
    void isRefused(String type, String reason) throws ClassNotFoundException {
        Class<?> bean = Class.forName(getClass().getName() + "$" + type);
        refuses(runner.withBean(bean), reason);
        refuses(
                runner.withInitializer(context -> {
                    GenericBeanDefinition definition = new GenericBeanDefinition();
                    definition.setBeanClass(bean);
                    definition.setLazyInit(true);
                    ((BeanDefinitionRegistry) context.getBeanFactory()).registerBeanDefinition("lazy", definition);
                }),
                reason);
    }

    @ParameterizedTest
    @ValueSource(classes = {ByName.class, LazyByName.class})
    void isRefusedWhereADefinitionNamesTheMethod(Class<?> configuration) {
        refuses(runner.withUserConfiguration(configuration), "past the proxy");
    }

    private static void refuses(ApplicationContextRunner runner, String reason) {
        runner.run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("Fix: "));
    }

    /** What is not called past a proxy, or helps a method that is not. */
    @ParameterizedTest
    @ValueSource(classes = {FinalOfInterface.class, HelpedWholeClass.class, Reachable.class})
    void isLeftAlone(Class<?> bean) {
        runner.withBean(bean).run(context -> assertThat(context).hasNotFailed());
    }

    static class FinalLease {
        @WithLease("x")
        public final void work() {}
    }

    @Idempotent
    static class FinalOfWholeClass {
        public final void work() {}
    }

    static class PrivateLease {
        @WithLease("x")
        private void work() {}

        public void call() {
            work();
        }
    }

    static class StaticLease {
        @WithLease("x")
        public static void work() {}
    }

    static class Constructed {
        @PostConstruct
        @WithLease("x")
        public void work() {}
    }

    static class Destroyed {
        @PreDestroy
        @Idempotent
        public void work() {}
    }

    static class Initializing implements InitializingBean {
        @Override
        @WithLease("x")
        public void afterPropertiesSet() {}
    }

    static class Disposable implements DisposableBean {
        @Override
        @Idempotent
        public void destroy() {}
    }

    static class Reachable {
        @WithLease("x")
        public void work() {}

        @Idempotent
        void write() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class ByName {
        @Bean(initMethod = "work")
        Reachable reachable() {
            return new Reachable();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyByName {
        @Bean(destroyMethod = "work")
        @Lazy
        Reachable reachable() {
            return new Reachable();
        }
    }

    interface Work {
        void work();
    }

    static class FinalOfInterface implements Work {
        @Override
        @WithLease("x")
        public final void work() {}
    }

    @Idempotent
    static class HelpedWholeClass {
        public void work() {
            helper();
            count();
        }

        private void helper() {}

        static void count() {}

        final void own() {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import(IdempotentBeanTests.Retry.class)
    static class Advice {

        @Bean
        static LeasedMethod.OfBeans leases(Refusals refusals) {
            return new LeasedMethod.OfBeans(() -> null, refusals);
        }
    }
}
