package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.autoconfigure.SurewriteOverwriteAutoConfiguration.OverwriteProperties;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.internal.session.DriverFailures;
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
import io.surewrite.unique.UniqueGuard;
import io.surewrite.write.InvalidConfigurationException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;
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
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.cql.CassandraAccessor;
import org.springframework.data.cassandra.core.cql.ReactiveCassandraAccessor;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;
import org.springframework.data.cassandra.repository.support.ReactiveCassandraRepositoryFactoryBean;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;

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
        InvalidConfigurationException refused =
                DriverFailures.first(failure, InvalidConfigurationException.class, known -> known);
        String why = NestedExceptionUtils.getMostSpecificCause(failure).getMessage();
        return refused != null
                ? refused
                : new InvalidConfigurationException(
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
                    look.getBean(RepositoryAdviceRegistrar.class)
                            .look(factory, own(factory, look.getBean(SessionSets.class)));
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
        tables.findings()
                .forEach(finding -> take(Refusals.finding(
                        finding.subject(), "%s %s".formatted(finding.subject(), finding.problem()), "schema")));
    }

    /** What belongs to a repository, and a template like its own, which what is planned enters. Null for one of another store. */
    private static @Nullable SureSession own(RepositoryFactoryBeanSupport<?, ?, ?> factory, SessionSets sessions) {
        DirectFieldAccessor fields = new DirectFieldAccessor(factory);
        if (factory instanceof CassandraRepositoryFactoryBean<?, ?, ?>) {
            CassandraOperations template =
                    Objects.requireNonNull((CassandraOperations) fields.getPropertyValue("cassandraOperations"));
            return sessions.of(
                    template.getCqlOperations() instanceof CassandraAccessor known && known.getSessionFactory() != null
                            ? new CassandraTemplate(known.getSessionFactory(), template.getConverter())
                            : template);
        }
        if (factory instanceof ReactiveCassandraRepositoryFactoryBean<?, ?, ?>) {
            ReactiveCassandraOperations template =
                    Objects.requireNonNull((ReactiveCassandraOperations) fields.getPropertyValue("operations"));
            return sessions.of(
                    template.getReactiveCqlOperations() instanceof ReactiveCassandraAccessor known
                                    && known.getSessionFactory() != null
                            ? new ReactiveCassandraTemplate(known.getSessionFactory(), template.getConverter())
                            : template);
        }
        return null;
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
