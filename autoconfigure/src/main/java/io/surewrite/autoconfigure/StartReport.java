package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.autoconfigure.SurewriteOverwriteAutoConfiguration.OverwriteProperties;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.internal.session.SessionDecorator;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.repository.IdempotentPlans;
import io.surewrite.repository.LeasedMethod;
import io.surewrite.repository.Refusals;
import io.surewrite.repository.RepositoryAdviceRegistrar;
import io.surewrite.repository.RepositoryOverwrites;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.schema.TablesInUse;
import io.surewrite.session.SureSession;
import io.surewrite.unique.ClaimingGuard;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.unique.UniqueSettings;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.InvalidConfigurationException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.data.cassandra.ReactiveSession;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.cql.CassandraAccessor;
import org.springframework.data.cassandra.core.cql.ReactiveCassandraAccessor;
import org.springframework.data.cassandra.core.cql.session.DefaultBridgedReactiveSession;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;
import org.springframework.data.cassandra.repository.support.ReactiveCassandraRepositoryFactoryBean;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;
import org.springframework.util.ClassUtils;

/**
 * Looks at an application when all its beans are there: plans what would be put around them, in a context beside it, and throws the
 * plans away. What it finds ends no start, and nothing of the application is changed.
 */
final class StartReport implements Refusals.Report, SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(StartReport.class);

    private static final Class<?>[] PLANNING = {
        Properties.class,
        SurewriteCqlAutoConfiguration.class,
        SurewriteRetryAutoConfiguration.class,
        SurewriteLeaseAutoConfiguration.class,
        SurewriteUniqueAutoConfiguration.class,
        SurewriteRepositoryAutoConfiguration.class
    };

    /** A bean of the context in which Surewrite plans as it would refuse. */
    static final String LOOK = "surewriteLook";

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Flux", StartReport.class.getClassLoader());

    private final ConfigurableListableBeanFactory application;
    private final ConfigurableEnvironment environment;
    private final List<InvalidConfigurationException> taken = new CopyOnWriteArrayList<>();

    StartReport(ConfigurableListableBeanFactory application, ConfigurableEnvironment environment) {
        this.application = application;
        this.environment = environment;
    }

    @Override
    public void take(InvalidConfigurationException finding) {
        taken.add(finding);
    }

    /** Each once. */
    List<InvalidConfigurationException> findings() {
        return taken.isEmpty()
                ? List.of()
                : InvalidConfigurationException.all(taken).refusals();
    }

    @Override
    public void afterSingletonsInstantiated() {
        look();
        List<InvalidConfigurationException> findings = findings();
        log.warn(
                "surewrite.start=report: Surewrite has looked at the application, and does nothing in it. {}",
                findings.isEmpty()
                        ? "It found nothing."
                        : findings.stream()
                                .map(each -> String.valueOf(each.getMessage()))
                                .collect(Collectors.joining("\n\n", "It found:\n\n", "")));
    }

    private void look() {
        TablesInUse tables = new TablesInUse(any -> false);
        // No parent context: that would get its events. Its beans are found all the same.
        try (var look = new AnnotationConfigApplicationContext(new DefaultListableBeanFactory(application))) {
            look.setEnvironment(environment);
            look.getBeanFactory().addEmbeddedValueResolver(application::resolveEmbeddedValue);
            // What a start would make in the cluster is not made.
            look.getBeanFactory().registerSingleton("surewriteSchema", StandIn.of(SurewriteSchema.class));
            look.getBeanFactory().registerSingleton("surewriteLeaseLocks", StandIn.of(LeaseLocks.class));
            look.getBeanFactory().registerSingleton("surewriteUniqueGuard", StandIn.of(UniqueGuard.class));
            look.getBeanFactory().registerSingleton("surewriteTablesInUse", tables);
            look.getBeanFactory()
                    .registerSingleton(LOOK, (Refusals.LastLook) () -> lookAtAll(look.getBeanFactory(), tables));
            if (environment.getProperty("surewrite.backlog.enabled", Boolean.class, false)) {
                look.getBeanFactory().registerSingleton("surewriteWriteBacklog", StandIn.of(WriteBacklog.class));
            }
            if (REACTOR) {
                Reactive.standIn(look.getBeanFactory());
            }
            look.register(PLANNING);
            look.refresh();
        } catch (RuntimeException | LinkageError failure) {
            take(failed("surewrite.start", failure));
        }
    }

    /** One that cannot be taken is a finding, and the others are taken all the same. */
    private void step(String subject, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | LinkageError failure) {
            take(failed(subject, failure));
        }
    }

    private static InvalidConfigurationException failed(String subject, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidConfigurationException refused) {
                return refused;
            }
        }
        String why = NestedExceptionUtils.getMostSpecificCause(failure).getMessage();
        return new InvalidConfigurationException(
                subject,
                "%s could not be looked at: %s".formatted(subject, why),
                "Correct what the message says.",
                "start");
    }

    private void lookAtAll(ConfigurableListableBeanFactory look, TablesInUse tables) {
        for (String name : application.getBeanNamesForType(RepositoryFactoryBeanSupport.class, true, false)) {
            String bean = BeanFactoryUtils.transformedBeanName(name);
            if (application.containsSingleton(bean)) {
                step(bean, () -> {
                    var factory = application.getBean(name, RepositoryFactoryBeanSupport.class);
                    look.getBean(RepositoryAdviceRegistrar.class).look(factory, own(factory, look));
                });
            }
        }
        step(
                "@Idempotent",
                () -> look.getBeanProvider(IdempotentPlans.OfBeans.class)
                        .ifAvailable(plans -> plans.look(application)));
        step(
                "@WithLease",
                () -> look.getBeanProvider(LeasedMethod.OfBeans.class).ifAvailable(plans -> plans.look(application)));
        step("@Idempotent", () -> look.getBeanProvider(ScopeCheck.class).ifAvailable(check -> check.look(application)));
        for (String name : application.getBeanNamesForType(CqlSession.class, false, false)) {
            step(name, () -> {
                if (application.getSingleton(name) instanceof CqlSession session && SessionDecorator.isReal(session)) {
                    SessionCheck.look(session, this::take);
                }
            });
        }
        tables.findings().stream()
                .filter(finding -> !finding.expected())
                .forEach(finding -> take(Refusals.finding(
                        finding.subject(), "%s %s".formatted(finding.subject(), finding.problem()), "schema")));
    }

    /** What belongs to a repository, but for what would change its template or write to our tables. Null for one of another store. */
    private static @Nullable SureSession own(RepositoryFactoryBeanSupport<?, ?, ?> factory, BeanFactory look) {
        SessionSets sessions = look.getBean(SessionSets.class);
        DirectFieldAccessor fields = new DirectFieldAccessor(factory);
        SureSession own = factory instanceof CassandraRepositoryFactoryBean<?, ?, ?>
                ? sessions.of(
                        (CassandraOperations) Objects.requireNonNull(fields.getPropertyValue("cassandraOperations")))
                : REACTOR ? Reactive.own(factory, fields, sessions) : null;
        if (own == null) {
            return null;
        }
        ProxyFactory proxy = new ProxyFactory(SureSession.class, (MethodInterceptor)
                asked -> switch (asked.getMethod().getName()) {
                    case "template" -> twin(own);
                    case "uniqueGuard" -> guard(own, look);
                    default -> asked.proceed();
                });
        proxy.setTarget(own);
        return (SureSession) proxy.getProxy(StartReport.class.getClassLoader());
    }

    /** A template like that of a repository: what is planned enters it. One that nothing can enter stays. */
    private static Object twin(SureSession own) {
        return own.template() instanceof CassandraOperations blocking
                ? blocking.getCqlOperations() instanceof CassandraAccessor
                        ? new CassandraTemplate(own.session(), own.converter())
                        : blocking
                : Reactive.twin(own);
    }

    /** It is never called. */
    private static ClaimingGuard guard(SureSession own, BeanFactory look) {
        UniqueSettings settings = look.getBean(UniqueProperties.class)
                .settings(
                        look.getBean(ClockProperties.class).margin(),
                        look.getBean(ConditionalWriteProperties.class).attemptTimeout());
        return ClaimingGuard.on(
                own.session(),
                StandIn.of(ConditionalWrites.class),
                "claim",
                "value",
                settings,
                ObservationRegistry.NOOP);
    }

    /** Loaded only where Reactor is. */
    private static final class Reactive {

        static @Nullable SureSession own(
                RepositoryFactoryBeanSupport<?, ?, ?> factory, DirectFieldAccessor fields, SessionSets sessions) {
            return factory instanceof ReactiveCassandraRepositoryFactoryBean<?, ?, ?>
                    ? sessions.of(
                            (ReactiveCassandraOperations) Objects.requireNonNull(fields.getPropertyValue("operations")))
                    : null;
        }

        /** One that is made here would close the session of the application with the look. */
        static void standIn(ConfigurableListableBeanFactory look) {
            look.registerSingleton("reactiveCassandraSession", StandIn.of(ReactiveSession.class));
        }

        static Object twin(SureSession own) {
            return own.template() instanceof ReactiveCassandraOperations reactive
                            && reactive.getReactiveCqlOperations() instanceof ReactiveCassandraAccessor
                    ? new ReactiveCassandraTemplate(new DefaultBridgedReactiveSession(own.session()), own.converter())
                    : own.template();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties({
        ClockProperties.class,
        LeaseProperties.class,
        OverwriteProperties.class,
        SchemaProperties.class,
        UniqueProperties.class
    })
    @Import(RepositoryOverwrites.class)
    static class Properties {}

    /** Shows what a start with {@code surewrite.start=report} has found. */
    @Endpoint(id = "surewrite")
    record StartReportEndpoint(Supplier<List<InvalidConfigurationException>> found) {

        public record Finding(String subject, String problem, String fix, String page) {

            private static Finding of(InvalidConfigurationException found) {
                return new Finding(
                        found.subject(), found.problem(), found.fix(), SurewriteFailureAnalyzer.page(found.page()));
            }
        }

        @ReadOperation
        public List<Finding> findings() {
            return found.get().stream().map(Finding::of).toList();
        }
    }
}
