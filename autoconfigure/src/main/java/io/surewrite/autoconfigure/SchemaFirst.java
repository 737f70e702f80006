package io.surewrite.autoconfigure;

import java.util.List;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.data.cassandra.ReactiveSessionFactory;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;
import org.springframework.data.cassandra.repository.support.ReactiveCassandraRepositoryFactoryBean;
import org.springframework.util.StringUtils;

/** Lets Spring Data's templates and repositories start after the schema. */
final class SchemaFirst implements BeanFactoryPostProcessor {

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
