package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.surewrite.cql.WriteScope;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import java.util.List;
import java.util.UUID;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.NestedExceptionUtils;
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

    // ---- a repository with @UniqueBy and @Idempotent ----

    @ParameterizedTest
    @ValueSource(
            classes = {
                Plain.class,
                InOrder.class,
                Advice.class,
                AuthorizationManager.class,
                Listening.class,
                Healthy.class,
                Asked.class,
                Converting.class,
                OwnMembers.class,
                NonStatic.class,
                LazyUser.class
            })
    void takesAGuardedRepository(Class<?> shape) {
        application().withUserConfiguration(Repositories.class, shape).run(context -> {
            assertThat(context).hasNotFailed();
            Logins logins = context.getBean(Logins.class);
            String login = UUID.randomUUID().toString();
            logins.save(new Login(UUID.randomUUID(), login));
            assertThatThrownBy(() -> logins.save(new Login(UUID.randomUUID(), login)))
                    .isInstanceOf(DuplicateValueException.class);
        });
    }

    @ParameterizedTest
    @ValueSource(
            classes = {Asking.class, Injected.class, First.class, Replacing.class, Unwrapping.class, HandMade.class})
    void doesNotStartWithABareRepository(Class<?> shape) {
        application()
                .withUserConfiguration(Repositories.class, OwnTemplate.class, shape)
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(message(context))
                            .containsAnyOf("@UniqueBy on Logins", "Logins.save cannot be @Idempotent");
                });
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

    // ---- a bean with @WithLease and @Idempotent ----

    @ParameterizedTest
    @ValueSource(
            classes = {
                Plain.class,
                Advice.class,
                AuthorizationManager.class,
                Listening.class,
                Healthy.class,
                Asked.class,
                Converting.class,
                Callback.class,
                OwnMembers.class,
                NonStatic.class,
                LazyUser.class
            })
    void takesAGuardedBean(Class<?> shape) {
        isGuarded(application().withUserConfiguration(Jobs.class, shape));
    }

    @ParameterizedTest
    @ValueSource(classes = {LazyJob.class, ManyJobs.class, ScopedJob.class, ProductJob.class})
    void guardsABeanHoweverItIsMade(Class<?> jobs) {
        isGuarded(application().withUserConfiguration(jobs));
    }

    private static void isGuarded(ApplicationContextRunner application) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Job.class).isLeased(context.getBean(LeaseLocks.class)))
                    .isTrue();
            assertThat(context.getBean(Job.class).isRetried()).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Asking.class, Injected.class, First.class, InOrder.class})
    void doesNotStartWithABareBean(Class<?> shape) {
        isRefused(application().withUserConfiguration(Jobs.class, shape));
    }

    @ParameterizedTest
    @ValueSource(classes = {ManyJobs.class, ProductJob.class, LazyJob.class})
    void doesNotStartWithABareBeanHoweverItIsMade(Class<?> jobs) {
        isRefused(application().withUserConfiguration(jobs, InOrder.class));
    }

    @Test
    void doesNotStartWithABeanThatNobodyPostProcesses() {
        isRefused(application()
                .withInitializer(context -> context.getBeanFactory().registerSingleton("job", new Job())));
    }

    @Test
    void doesNotStartWithAnAnnotatedConfigurationThatSpringNeedsFirst() {
        isRefused(application().withUserConfiguration(OwnPlaceholders.class));
    }

    @Test
    void doesNotStartWithAnAnnotatedPostProcessor() {
        isRefused(application().withUserConfiguration(AnnotatedPostProcessor.class));
    }

    private static void isRefused(ApplicationContextRunner application) {
        application.run(context -> {
            assertThat(context).hasFailed();
            assertThat(message(context)).containsAnyOf("@WithLease on", "cannot be @Idempotent");
        });
    }

    private static String message(AssertableApplicationContext context) {
        return String.valueOf(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure())
                .getMessage());
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
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.REGEX, pattern = ".*\\.EarlyBeansIntegrationTests\\$Logins"),
            excludeFilters = @Filter(type = FilterType.ANNOTATION, classes = Repository.class))
    static class Repositories {}

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

    static class Job implements Taken {

        @WithLease("early")
        public boolean isLeased(LeaseLocks locks) {
            Lease other = locks.tryAcquire("early").orElse(null);
            return other == null;
        }

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

    @Configuration(proxyBeanMethods = false)
    static class LazyJob {

        @Bean
        @Lazy
        Job job() {
            return new Job();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ManyJobs {

        @Bean
        @Scope("prototype")
        Job job() {
            return new Job();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedJob {

        @Bean
        static BeanFactoryPostProcessor threads() {
            return beans -> beans.registerScope("thread", new SimpleThreadScope());
        }

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Job job() {
            return new Job();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProductJob {

        @Bean
        FactoryBean<Job> job() {
            return new FactoryBean<>() {
                @Override
                public Job getObject() {
                    return new Job();
                }

                @Override
                public Class<?> getObjectType() {
                    return Job.class;
                }
            };
        }
    }

    // ---- the shapes of early beans ----

    record Processor(Object taken) implements BeanPostProcessor {}

    record OrderedProcessor(Object taken) implements BeanPostProcessor, Ordered {

        @Override
        public int getOrder() {
            return 0;
        }
    }

    record FirstProcessor(Object taken) implements BeanPostProcessor, PriorityOrdered {

        @Override
        public int getOrder() {
            return 0;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Plain {

        @Bean
        static Processor plain(Taken taken) {
            return new Processor(taken);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class InOrder {

        @Bean
        static OrderedProcessor inOrder(Taken taken) {
            return new OrderedProcessor(taken);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class First {

        @Bean
        static FirstProcessor first(Taken taken) {
            return new FirstProcessor(taken);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Asking {

        @Bean
        static BeanFactoryPostProcessor asking() {
            return beans -> assertThat(beans.getBean(Taken.class)).isNotNull();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Injected {

        @Bean
        static BeanFactoryPostProcessor injected(Taken taken) {
            return beans -> assertThat(taken).isNotNull();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Advice {

        @Bean
        static DefaultAdvisorAutoProxyCreator proxies() {
            return new DefaultAdvisorAutoProxyCreator();
        }

        @Bean
        static DefaultPointcutAdvisor advice(Taken taken) {
            return advisor(taken);
        }
    }

    private static DefaultPointcutAdvisor advisor(Object taken) {
        NameMatchMethodPointcut nothing = new NameMatchMethodPointcut();
        nothing.setMappedName("nothing");
        return new DefaultPointcutAdvisor(nothing, (MethodInterceptor) invocation -> taken);
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
        static Manager manager(Taken taken) {
            return new Manager(taken);
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor advice(Manager manager) {
            return advisor(manager);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Listening {

        @Bean
        ApplicationListener<ContextRefreshedEvent> listening(Taken taken) {
            return event -> assertThat(taken).isNotNull();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Healthy {

        @Bean
        HealthIndicator healthy(Taken taken) {
            return () -> Health.up().withDetail("taken", taken).build();
        }
    }

    /** As the customizers of a MeterRegistry are asked when there is one. */
    @Configuration(proxyBeanMethods = false)
    static class Asked {

        @Bean
        static BeanPostProcessor asked(ObjectProvider<Taken> taken) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    if (bean instanceof StringBuilder meters) {
                        meters.append(taken.getObject());
                    }
                    return bean;
                }
            };
        }

        @Bean
        StringBuilder meters() {
            return new StringBuilder();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Converting {

        @Bean
        Converter<String, StringBuilder> converting(Taken taken) {
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
        BeforeConvertCallback<Login> callback(Taken taken) {
            return (login, table) -> taken == null ? new Login(login.id(), "") : login;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnMembers {

        private final Taken taken;

        OwnMembers(Taken taken) {
            this.taken = taken;
        }

        @Bean
        List<String> members() {
            return List.of(taken.toString());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NonStatic {

        private final Taken taken;

        NonStatic(Taken taken) {
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
        static FirstProcessor lazyUser(@Lazy Taken taken) {
            return new FirstProcessor(taken);
        }
    }

    /** Hides a repository: Spring makes none itself then. */
    @Configuration(proxyBeanMethods = false)
    static class Replacing {

        @Bean
        static InstantiationAwareBeanPostProcessor replacing(ConfigurableListableBeanFactory beans) {
            return new InstantiationAwareBeanPostProcessor() {
                @Override
                public Object postProcessBeforeInstantiation(Class<?> type, String name) {
                    if (!CassandraRepositoryFactoryBean.class.isAssignableFrom(type)) {
                        return null;
                    }
                    CassandraRepositoryFactoryBean<Logins, Login, UUID> hidden =
                            new CassandraRepositoryFactoryBean<>(Logins.class);
                    hidden.setCassandraTemplate(beans.getBean(CassandraTemplate.class));
                    hidden.afterPropertiesSet();
                    return hidden;
                }
            };
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
                    return bean instanceof Logins ? bare(operations.getObject()) : bean;
                }
            };
        }
    }

    /** Spring Data's factory without its bean. */
    @Configuration(proxyBeanMethods = false)
    static class HandMade {

        @Bean
        Logins byHand(CassandraOperations operations) {
            return bare(operations);
        }
    }

    private static Logins bare(CassandraOperations operations) {
        return new CassandraRepositoryFactory(operations).getRepository(Logins.class);
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

    @Configuration(proxyBeanMethods = false)
    static class AnnotatedPostProcessor {

        @Bean
        static Annotated annotated() {
            return new Annotated();
        }

        static class Annotated implements BeanPostProcessor, Ordered {

            @Override
            public int getOrder() {
                return 0;
            }

            @Idempotent
            public void work() {}
        }
    }
}
