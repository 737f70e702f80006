package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.TestRetry;
import io.surewrite.retry.WriteRetryTemplate;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.core.publisher.Mono;

class IdempotentBeanTests {

    private static final List<WriteScope> ATTEMPTS = Collections.synchronizedList(new ArrayList<>());
    private static final List<String> THREADS = Collections.synchronizedList(new ArrayList<>());
    private static int failures;

    private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Retry.class);

    @BeforeEach
    void forget() {
        ATTEMPTS.clear();
        THREADS.clear();
        failures = 2;
    }

    /** Also where a superclass does it that does not know the interface. */
    @ParameterizedTest
    @ValueSource(classes = {ByInterfaceImpl.class, Inheriting.class})
    void retriesWhatAnInterfacePromises(Class<? extends ByInterface> type) {
        runner.withBean(type).run(context -> context.getBean(ByInterface.class).register());
        assertOneTimestamp(3);
    }

    @Test
    void retriesAllOfAnAnnotatedClass() {
        runner.withBean(WholeClass.class)
                .run(context -> context.getBean(WholeClass.class).register());
        assertOneTimestamp(3);
    }

    @Test
    void retriesPublishersAndFutures() {
        with(
                Registrations.class,
                beans -> assertThat(beans.registerReactively().block()).isEqualTo("done"));
        assertOneTimestamp(3);
        ATTEMPTS.clear();
        with(
                Registrations.class,
                beans -> assertThat(beans.registerLater().join()).isEqualTo("done"));
        assertOneTimestamp(3);
    }

    @Test
    void retriesOnTheThreadOfAsync() {
        runner.withUserConfiguration(AsyncSupport.class)
                .withBean(Registrations.class)
                .run(context -> assertThat(context.getBean(Registrations.class)
                                .registerAsync()
                                .get(10, TimeUnit.SECONDS))
                        .isEqualTo("done"));
        assertOneTimestamp(3);
        assertThat(THREADS).doesNotContain(Thread.currentThread().getName());
    }

    @Test
    void takesSettingsFromTheAnnotation() {
        with(
                Registrations.class,
                beans -> assertThatThrownBy(beans::registerTwiceAtMost).isInstanceOf(UnknownOutcomeException.class));
        assertOneTimestamp(2);
    }

    private <T> void with(Class<T> type, Consumer<T> action) {
        runner.withBean(type).run(context -> action.accept(context.getBean(type)));
    }

    private static void assertOneTimestamp(int attempts) {
        assertThat(ATTEMPTS).hasSize(attempts);
        assertThat(ATTEMPTS.stream().map(WriteScope::timestamp).distinct()).hasSize(1);
    }

    private static void attempt(WriteScope scope) {
        ATTEMPTS.add(scope);
        THREADS.add(Thread.currentThread().getName());
        if (ATTEMPTS.size() <= failures) {
            throw new DriverTimeoutException("late");
        }
    }

    static class Registrations {

        @Idempotent(attempts = 2)
        public void registerTwiceAtMost() {
            attempt(WriteScope.current());
        }

        @Idempotent
        public Mono<String> registerReactively() {
            return Mono.deferContextual(context -> {
                attempt(io.surewrite.write.ReactiveWriteScope.current(context));
                return Mono.just("done");
            });
        }

        @Idempotent
        public CompletableFuture<String> registerLater() {
            WriteScope scope = WriteScope.current();
            return CompletableFuture.supplyAsync(() -> {
                attempt(scope);
                return "done";
            });
        }

        @Async
        @Idempotent
        public CompletableFuture<String> registerAsync() {
            attempt(WriteScope.current());
            return CompletableFuture.completedFuture("done");
        }
    }

    interface ByInterface {
        @Idempotent
        void register();
    }

    static class ByInterfaceImpl implements ByInterface {
        @Override
        public void register() {
            attempt(WriteScope.current());
        }
    }

    static class Unaware {
        public void register() {
            attempt(WriteScope.current());
        }
    }

    static class Inheriting extends Unaware implements ByInterface {}

    @Idempotent
    static class WholeClass {
        public void register() {
            attempt(WriteScope.current());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class AsyncSupport {}

    @Configuration(proxyBeanMethods = false)
    @Import(Refusals.class)
    static class Retry {

        @Bean
        static AbstractBeanFactoryAwareAdvisingPostProcessor retry(Refusals refusals) {
            return new IdempotentPlans.OfBeans(method -> {}, refusals);
        }

        @Bean
        WriteRetryTemplate cassandraRetryTemplate(ObjectProvider<WriteTimestamps> timestamps) {
            return TestRetry.template(4, timestamps.getIfAvailable(() -> new WriteTimestamps(Clock.systemUTC())));
        }
    }
}
