package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.SharedCassandra;
import io.surewrite.internal.session.SessionDecorator;
import io.surewrite.schema.ManagedSchema;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.schema.TablesInUse;
import io.surewrite.write.InvalidConfigurationException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.Resource;
import org.springframework.data.cassandra.ReactiveSessionFactory;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;
import org.springframework.data.cassandra.repository.support.ReactiveCassandraRepositoryFactoryBean;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** Creates or checks the tables before anything uses them. */
@OnStart(OnStart.Mode.REFUSE)
@AutoConfiguration(after = CassandraAutoConfiguration.class)
@ConditionalOnBean(CqlSession.class)
@EnableConfigurationProperties(SchemaProperties.class)
@Import(SurewriteSchemaAutoConfiguration.SchemaFirst.class)
public final class SurewriteSchemaAutoConfiguration {

    @Bean
    SurewriteSchema surewriteSchema(
            ObjectProvider<CqlSession> session, SchemaProperties properties, BeanFactory beans) {
        CqlSession first;
        try {
            first = session.getIfUnique();
        } catch (BeanCurrentlyInCreationException circle) {
            throw tooEarly((ConfigurableListableBeanFactory) beans, circle);
        }
        return first != null
                        && !SessionDecorator.isReal(first) // a mock, as in a test: nothing to make before the first use
                ? ofAnother(first, beans)
                : schema(session::getObject, properties.locations(), beans);
    }

    /** Spring Boot looks at each static factory while it makes the session, and has Spring make what that one needs. */
    private static InvalidConfigurationException tooEarly(
            ConfigurableListableBeanFactory beans, BeanCurrentlyInCreationException circle) {
        String early = Arrays.stream(beans.getBeanDefinitionNames())
                .filter(name -> beans.isCurrentlyInCreation(name)
                        && !name.startsWith("surewrite")
                        && !name.startsWith("org.springframework."))
                .collect(Collectors.joining("', '", "'", "'"));
        InvalidConfigurationException refused = new InvalidConfigurationException(
                "CqlSession",
                "A repository is needed before Spring Boot has made the session: %s are being made".formatted(early),
                "Let what needs it early ask for it later, by an ObjectProvider or @Lazy at the injection point; a @Bean method that makes a FactoryBean must not be static.",
                "start");
        refused.initCause(circle);
        return refused;
    }

    /** Of a session that is not the primary one: no scripts. */
    static SurewriteSchema ofAnother(CqlSession session, BeanFactory beans) {
        return schema(() -> session, List.of(), beans);
    }

    private static SurewriteSchema schema(Supplier<CqlSession> session, List<Resource> scripts, BeanFactory beans) {
        SchemaProperties properties = beans.getBean(SchemaProperties.class);
        ManagedSchema.Settings settings = new ManagedSchema.Settings(
                properties.initialize(),
                EmbeddedServer::serves,
                properties.keyspace(),
                properties.tablePrefix(),
                scripts);
        return new ManagedSchema(settings, session, beans.getBean(TablesInUse.class));
    }

    @Bean
    TablesInUse surewriteTablesInUse() {
        return new TablesInUse(EmbeddedServer::serves);
    }

    static final class SchemaFirst implements BeanFactoryPostProcessor {

        private static final String SCHEMA = "surewriteSchema";

        private static final List<Class<?>> LATER = List.of(
                SessionFactory.class,
                ReactiveSessionFactory.class,
                CassandraRepositoryFactoryBean.class,
                ReactiveCassandraRepositoryFactoryBean.class);

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
            for (Class<?> type : LATER) {
                for (String name : beanFactory.getBeanNamesForType(type, true, false)) {
                    String later = BeanFactoryUtils.transformedBeanName(name);
                    if (beanFactory.containsBeanDefinition(later)) { // a ready-made instance has none
                        BeanDefinition definition = beanFactory.getBeanDefinition(later);
                        definition.setDependsOn(StringUtils.addStringToArray(definition.getDependsOn(), SCHEMA));
                    }
                }
            }
        }
    }

    /** Tells the embedded server, which is an optional dependency, from every other. */
    private static final class EmbeddedServer {

        private static final boolean PRESENT =
                ClassUtils.isPresent("io.surewrite.embedded.SharedCassandra", EmbeddedServer.class.getClassLoader());

        /** Asks the session: whatever made and configured it may lead it to the shared server, or elsewhere. */
        static boolean serves(CqlSession session) {
            return PRESENT
                    && session.getMetadata().getNodes().values().stream()
                            .allMatch(node -> node.getEndPoint().resolve() instanceof InetSocketAddress address
                                    && SharedCassandra.runsAt(address));
        }
    }
}
