package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.WriteScope;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.convert.converter.Converter;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.convert.MappingCassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactory;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;
import org.springframework.stereotype.Repository;

/** Beans that Spring makes early take others along. What is annotated there is guarded, or the application does not start. */
class EarlyBeansIntegrationTests extends CassandraTest {

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE early_login (id uuid PRIMARY KEY, login text)");
    }

    /** What becomes of a start. */
    private enum Start {
        GUARDED,
        REFUSED,
        /** The shape and what it takes along need each other: Spring itself refuses that. */
        CIRCULAR
    }

    /** Each with what becomes of a repository with @UniqueBy and @Idempotent, and of a bean with @WithLease and @Idempotent. */
    static Stream<Arguments> shapes() {
        return Stream.of(
                arguments(Plain.class, Start.GUARDED, Start.GUARDED),
                arguments(InOrder.class, Start.GUARDED, Start.REFUSED),
                arguments(First.class, Start.REFUSED, Start.REFUSED),
                arguments(Asking.class, Start.REFUSED, Start.REFUSED),
                arguments(Advice.class, Start.GUARDED, Start.GUARDED),
                arguments(AdviceOfARole.class, Start.GUARDED, Start.GUARDED),
                arguments(AuthorizationManager.class, Start.GUARDED, Start.GUARDED),
                arguments(OfAnAspect.class, Start.GUARDED, Start.GUARDED),
                arguments(Producing.class, Start.GUARDED, Start.GUARDED),
                arguments(Listening.class, Start.GUARDED, Start.GUARDED),
                arguments(CustomizingMeters.class, Start.GUARDED, Start.GUARDED),
                arguments(Healthy.class, Start.GUARDED, Start.GUARDED),
                arguments(Converting.class, Start.GUARDED, Start.GUARDED),
                arguments(Callback.class, Start.CIRCULAR, Start.GUARDED),
                arguments(OwnMembers.class, Start.GUARDED, Start.GUARDED),
                arguments(NonStatic.class, Start.GUARDED, Start.GUARDED),
                arguments(LazyUser.class, Start.GUARDED, Start.GUARDED));
    }

    /** One start for both, where neither ends it. */
    @ParameterizedTest
    @MethodSource("shapes")
    @LongLane
    void guardsWhatAShapeTakesAlongOrDoesNotStart(Class<?> shape, Start repository, Start bean) {
        if (repository == Start.GUARDED && bean == Start.GUARDED) {
            application()
                    .withUserConfiguration(Repositories.class, Jobs.class, shape)
                    .run(EarlyBeansIntegrationTests::requireBothGuarded);
            return;
        }
        if (repository == Start.GUARDED) {
            application()
                    .withUserConfiguration(Repositories.class, shape)
                    .run(EarlyBeansIntegrationTests::requireGuardedRepository);
        } else if (repository == Start.REFUSED) {
            application()
                    .withUserConfiguration(Repositories.class, OwnTemplate.class, shape)
                    .run(EarlyBeansIntegrationTests::requireRefusedRepository);
        }
        if (bean == Start.GUARDED) {
            application().withUserConfiguration(Jobs.class, shape).run(EarlyBeansIntegrationTests::requireGuardedBean);
        } else {
            isRefused(application().withUserConfiguration(Jobs.class, shape));
        }
    }

    /** Each starts alone in the long lane. */
    @Test
    void guardsWhatManyShapesTakeAlong() {
        Set<Class<?>> withNamesOfOthers = Set.of(AdviceOfARole.class, AuthorizationManager.class);
        Class<?>[] guarded = shapes().map(Arguments::get)
                .filter(shape -> shape[1] == Start.GUARDED && shape[2] == Start.GUARDED)
                .map(shape -> (Class<?>) shape[0])
                .filter(shape -> !withNamesOfOthers.contains(shape))
                .toArray(Class<?>[]::new);
        application()
                .withUserConfiguration(Repositories.class, Jobs.class)
                .withUserConfiguration(guarded)
                .run(EarlyBeansIntegrationTests::requireBothGuarded);
    }

    private static void requireBothGuarded(AssertableApplicationContext context) {
        requireGuardedRepository(context);
        requireGuardedBean(context);
    }

    private static void requireGuardedRepository(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        Logins logins = context.getBean(Logins.class);
        String login = UUID.randomUUID().toString();
        logins.save(new Login(UUID.randomUUID(), login));
        assertThatThrownBy(() -> logins.save(new Login(UUID.randomUUID(), login)))
                .isInstanceOf(DuplicateValueException.class);
        assertThat(logins.isRetried()).isTrue();
    }

    private static void requireGuardedBean(AssertableApplicationContext context) {
        requireLeasedBean(context);
        assertThat(context.getBean(Job.class).isRetried()).isTrue();
    }

    private static void requireLeasedBean(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        assertThat(context.getBean(LeasedJob.class).isLeased(context.getBean(LeaseLocks.class)))
                .isTrue();
    }

    private static void requireRefusedRepository(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        assertThat(message(context)).contains("@UniqueBy on Logins").contains("cannot be @Idempotent");
    }

    @Test
    @LongLane
    void doesNotStartWithARepositoryThatSomethingHides() {
        application()
                .withUserConfiguration(Repositories.class, OwnTemplate.class, Unwrapping.class)
                .run(EarlyBeansIntegrationTests::requireRefusedRepository);
    }

    @Test
    void guardsARepositoryThatIsMadeWhenItIsAskedFor() {
        application()
                .withUserConfiguration(LazyRepositories.class)
                .run(EarlyBeansIntegrationTests::requireGuardedRepository);
    }

    @ParameterizedTest
    @ValueSource(classes = {ManyRepositories.class, ScopedRepository.class})
    @LongLane
    void guardsARepositoryOfAnyScope(Class<?> repositories) {
        application().withUserConfiguration(repositories).run(EarlyBeansIntegrationTests::requireGuardedRepository);
    }

    /** Spring makes such a factory for whoever looks for a bean by its type: our post-processors do not. */
    @Test
    void guardsWhatAFactoryOfAStaticMethodTakesAlong() {
        application()
                .withUserConfiguration(LeasedJob.class, ProducingEarly.class)
                .run(EarlyBeansIntegrationTests::requireLeasedBean);
    }

    /** Plain Spring Data starts, since Boot's session is lazy; a guarded repository looks at its table. */
    @Test
    @LongLane
    void saysWhatToDoWhereAStaticFactoryTakesARepositoryAlong() {
        application()
                .withUserConfiguration(Repositories.class, ProducingEarly.class)
                .run(context -> assertThat(message(context))
                        .contains("A repository is needed before Spring Boot has made the session: ")
                        .contains("'producing'")
                        .contains("Fix: Let what needs it early ask for it later")
                        .contains("a @Bean method that makes a FactoryBean must not be static"));
    }

    @Test
    void bringsATemplateIntoTheScopeHoweverEarlyItWasMade() {
        UUID id = UUID.randomUUID();
        application()
                .withInitializer(
                        context -> context.addBeanFactoryPostProcessor(beans -> beans.getBean(CassandraTemplate.class)))
                .withUserConfiguration(OwnTemplate.class)
                .run(context -> WriteScope.at(7)
                        .call(() -> context.getBean(CassandraTemplate.class).insert(new Login(id, "early"))));
        assertThat(session.execute("SELECT WRITETIME(login) FROM early_login WHERE id = ?", id)
                        .one()
                        .getLong(0))
                .isEqualTo(7);
    }

    @Test
    void saysWhoMadeItEarlyAndWhatToDo() {
        application()
                .withUserConfiguration(Repositories.class, OwnTemplate.class, First.class)
                .run(context -> assertThat(message(context))
                        .contains(
                                "the bean 'earlyBeansIntegrationTests.Logins' was made before Surewrite could put anything around it")
                        .contains("it was made for 'first' (")
                        .contains("Let 'first' ask for it when it needs it, by an ObjectProvider or @Lazy"));
    }

    @ParameterizedTest
    @ValueSource(classes = {LazyJob.class, ManyJobs.class, ScopedJob.class, ProductJob.class})
    @LongLane
    void guardsABeanHoweverItIsMade(Class<?> jobs) {
        application().withUserConfiguration(jobs).run(EarlyBeansIntegrationTests::requireGuardedBean);
    }

    @Test
    void doesNotStartWithABeanThatNobodyPostProcesses() {
        isRefused(application()
                .withInitializer(context -> context.getBeanFactory().registerSingleton("job", new Job())));
    }

    @ParameterizedTest
    @ValueSource(classes = {OwnPlaceholders.class, AnnotatedPostProcessor.class})
    void doesNotStartWithWhatIsAnnotatedAndSpringNeedsFirst(Class<?> annotated) {
        isRefused(application().withUserConfiguration(annotated));
    }

    private static void isRefused(ApplicationContextRunner application) {
        application.run(context -> {
            assertThat(context).hasFailed();
            assertThat(message(context)).containsAnyOf("@WithLease on", "cannot be @Idempotent");
        });
    }

    private static String message(AssertableApplicationContext context) {
        Throwable failure = context.getStartupFailure();
        while (failure != null && !(failure instanceof InvalidConfigurationException)) {
            failure = failure.getCause();
        }
        return failure == null ? "" : String.valueOf(failure.getMessage());
    }

    /** What an early bean takes along. */
    interface Taken {}

    @Table("early_login")
    record Login(@PrimaryKey UUID id, String login) {}

    @UniqueBy("login")
    interface Logins extends CassandraRepository<Login, UUID>, Taken {

        @Override
        @Idempotent
        <S extends Login> S save(S login);

        @Idempotent
        default boolean isRetried() {
            return WriteScope.current() != null;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.REGEX, pattern = ".*\\.EarlyBeansIntegrationTests\\$Logins"),
            excludeFilters = @Filter(type = FilterType.ANNOTATION, classes = Repository.class))
    static class Repositories {}

    /** As with @Lazy on the repository, or lazy initialization of all. */
    @Configuration(proxyBeanMethods = false)
    @Import(Repositories.class)
    static class LazyRepositories {

        @Bean
        static BeanFactoryPostProcessor lazy() {
            return beans ->
                    beans.getBeanDefinition("earlyBeansIntegrationTests.Logins").setLazyInit(true);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Repositories.class)
    static class ManyRepositories {

        @Bean
        static BeanFactoryPostProcessor prototype() {
            return beans -> beans.getBeanDefinition("earlyBeansIntegrationTests.Logins")
                    .setScope(BeanDefinition.SCOPE_PROTOTYPE);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Threads {

        @Bean
        static BeanFactoryPostProcessor threads() {
            return beans -> beans.registerScope("thread", new SimpleThreadScope());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({OwnTemplate.class, Threads.class})
    static class ScopedRepository {

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.INTERFACES)
        static CassandraRepositoryFactoryBean<Logins, Login, UUID> logins(CassandraTemplate template) {
            CassandraRepositoryFactoryBean<Logins, Login, UUID> factory =
                    new CassandraRepositoryFactoryBean<>(Logins.class);
            factory.setCassandraTemplate(template);
            return factory;
        }
    }

    /** Boot's own template cannot be made so early. */
    @Configuration(proxyBeanMethods = false)
    static class OwnTemplate {

        @Bean
        static CqlSession cassandraSession() {
            Node node = session.getMetadata().getNodes().values().iterator().next();
            return CqlSession.builder()
                    .addContactEndPoint(node.getEndPoint())
                    .withLocalDatacenter(String.valueOf(node.getDatacenter()))
                    .withKeyspace(keyspace.name())
                    .build();
        }

        @Bean
        static CassandraMappingContext cassandraMappingContext() {
            return new CassandraMappingContext();
        }

        @Bean
        static CassandraTemplate cassandraTemplate(CqlSession session, CassandraMappingContext mapping) {
            MappingCassandraConverter converter = new MappingCassandraConverter(mapping);
            converter.afterPropertiesSet();
            return new CassandraTemplate(session, converter);
        }
    }

    static class Job extends LeasedJob {

        @Idempotent
        public boolean isRetried() {
            return WriteScope.current() != null;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Jobs {

        @Bean
        Job job() {
            return new Job();
        }
    }

    static class LeasedJob implements Taken {

        @WithLease("early")
        public boolean isLeased(LeaseLocks locks) {
            return locks.tryAcquire("early").isEmpty();
        }
    }

    @Lazy
    static class LazyJob extends Job {}

    @Scope("prototype")
    static class ManyJobs extends Job {}

    @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
    @Import(Threads.class)
    static class ScopedJob extends Job {}

    @Configuration(proxyBeanMethods = false)
    static class ProductJob {

        @Bean
        FactoryBean<Job> job() {
            return new Factory<>(new Job(), Job.class);
        }
    }

    // ---- the shapes of early beans ----

    record Processor(Object taken) implements BeanPostProcessor {}

    record OrderedProcessor(Object taken, int getOrder) implements BeanPostProcessor, Ordered {}

    record FirstProcessor(Object taken, int getOrder) implements BeanPostProcessor, PriorityOrdered {}

    @Configuration(proxyBeanMethods = false)
    static class Plain {

        @Bean
        static Processor plain(List<Taken> taken) {
            return new Processor(taken);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class InOrder {

        @Bean
        static OrderedProcessor inOrder(List<Taken> taken) {
            return new OrderedProcessor(taken, 0);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class First {

        @Bean
        static FirstProcessor first(List<Taken> taken) {
            return new FirstProcessor(taken, 0);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Asking {

        @Bean
        static BeanFactoryPostProcessor asking() {
            return beans -> assertThat(beans.getBeansOfType(Taken.class)).isNotEmpty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Advice {

        @Bean
        static DefaultAdvisorAutoProxyCreator proxies() {
            return new DefaultAdvisorAutoProxyCreator();
        }

        @Bean
        static DefaultPointcutAdvisor advice(List<Taken> taken) {
            return advisor(taken);
        }
    }

    private static DefaultPointcutAdvisor advisor(Object taken) {
        NameMatchMethodPointcut nothing = new NameMatchMethodPointcut();
        nothing.setMappedName("nothing");
        return new DefaultPointcutAdvisor(nothing, (MethodInterceptor) invocation -> taken);
    }

    @Configuration(proxyBeanMethods = false)
    static class AdviceOfARole {

        @Bean
        static BeanFactoryPostProcessor proxies() {
            return beans -> AopConfigUtils.registerAutoProxyCreatorIfNecessary((BeanDefinitionRegistry) beans);
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor advice(List<Taken> taken) {
            return advisor(taken);
        }
    }

    record Manager(Object taken) {}

    /** As Spring Security has its own. */
    @Configuration(proxyBeanMethods = false)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static class AuthorizationManager {

        @Bean
        static BeanFactoryPostProcessor proxies() {
            return beans -> AopConfigUtils.registerAutoProxyCreatorIfNecessary((BeanDefinitionRegistry) beans);
        }

        @Bean
        static Manager manager(List<Taken> taken) {
            return new Manager(taken);
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor advice(Manager manager) {
            return advisor(manager);
        }
    }

    /** Around a bean that Spring makes before the repository. */
    @Configuration(proxyBeanMethods = false)
    @EnableAspectJAutoProxy
    static class OfAnAspect {

        @Bean
        Counting counting(List<Taken> taken) {
            return new Counting(taken);
        }

        @Bean
        static Runnable counted() {
            return () -> {};
        }

        @Bean
        static InitializingBean callsEarly(Runnable counted) {
            return counted::run;
        }

        @Aspect
        static class Counting {

            private final List<Taken> taken;

            Counting(List<Taken> taken) {
                this.taken = taken;
            }

            @Before("bean(counted)")
            public void count() {
                assertThat(taken).isNotEmpty();
            }
        }
    }

    record Factory<T>(T getObject, Class<?> getObjectType) implements FactoryBean<T> {}

    private static FactoryBean<StringBuilder> factory(List<Taken> taken) {
        return new Factory<>(new StringBuilder(taken.size()), StringBuilder.class);
    }

    @Configuration(proxyBeanMethods = false)
    static class Producing {

        @Bean
        FactoryBean<StringBuilder> producing(List<Taken> taken) {
            return factory(taken);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProducingEarly {

        @Bean
        static FactoryBean<StringBuilder> producing(List<Taken> taken) {
            return factory(taken);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Listening {

        @Bean
        ApplicationListener<ContextRefreshedEvent> listening(List<Taken> taken) {
            return event -> assertThat(taken).isNotEmpty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Healthy {

        @Bean
        HealthIndicator healthy(List<Taken> taken) {
            return () -> Health.up().withDetail("taken", taken).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({MetricsAutoConfiguration.class, ObservationAutoConfiguration.class})
    static class CustomizingMeters {

        @Bean
        SimpleMeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        MeterRegistryCustomizer<MeterRegistry> customizing(List<Taken> taken) {
            return meters -> meters.gauge("taken", taken, List::size);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Converting {

        @Bean
        Converter<String, StringBuilder> converting(List<Taken> taken) {
            return new Converter<>() {
                @Override
                public StringBuilder convert(String text) {
                    return new StringBuilder(text).append(taken);
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Callback {

        @Bean
        BeforeConvertCallback<Login> callback(List<Taken> taken) {
            return (login, table) -> taken.isEmpty() ? new Login(login.id(), "") : login;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnMembers {

        private final List<Taken> taken;

        OwnMembers(List<Taken> taken) {
            this.taken = taken;
        }

        @Bean
        List<String> members() {
            return List.of(taken.toString());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NonStatic {

        private final List<Taken> taken;

        NonStatic(List<Taken> taken) {
            this.taken = taken;
        }

        @Bean
        Processor nonStatic() {
            return new Processor(taken);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyUser {

        @Bean
        static FirstProcessor lazyUser(@Lazy List<Taken> taken) {
            return new FirstProcessor(taken, 0);
        }
    }

    /** Hides a repository when it is there. */
    @Configuration(proxyBeanMethods = false)
    static class Unwrapping {

        @Bean
        static BeanPostProcessor unwrapping(ObjectProvider<CassandraOperations> operations) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof Logins
                            ? new CassandraRepositoryFactory(operations.getObject()).getRepository(Logins.class)
                            : bean;
                }
            };
        }
    }

    @Configuration
    static class OwnPlaceholders {

        @Bean
        PropertySourcesPlaceholderConfigurer placeholders() {
            return new PropertySourcesPlaceholderConfigurer();
        }

        @WithLease("application")
        public void work() {}
    }

    static class AnnotatedPostProcessor implements BeanPostProcessor, Ordered {

        @Override
        public int getOrder() {
            return 0;
        }

        @Idempotent
        public void work() {}
    }
}
