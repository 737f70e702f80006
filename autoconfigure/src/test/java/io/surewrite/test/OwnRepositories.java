package io.surewrite.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.core.type.filter.TypeFilter;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;

/** A configuration inside a test: it makes the test's repositories. Those of other tests are refused, or want tables of their own. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Configuration(proxyBeanMethods = false)
@EnableCassandraRepositories(
        considerNestedRepositories = true,
        excludeFilters = @Filter(type = FilterType.CUSTOM, classes = OwnRepositories.OfOthers.class))
@EnableReactiveCassandraRepositories(
        considerNestedRepositories = true,
        excludeFilters = @Filter(type = FilterType.CUSTOM, classes = OwnRepositories.OfOthers.class))
public @interface OwnRepositories {

    /** What does not stand in a class with such a configuration. */
    final class OfOthers implements TypeFilter, BeanFactoryAware {

        private BeanDefinitionRegistry beans;

        @Override
        public void setBeanFactory(BeanFactory beanFactory) {
            this.beans = (BeanDefinitionRegistry) beanFactory;
        }

        @Override
        public boolean match(MetadataReader candidate, MetadataReaderFactory readers) {
            String name = candidate.getClassMetadata().getClassName();
            return Arrays.stream(beans.getBeanDefinitionNames())
                    .map(beans::getBeanDefinition)
                    .filter(bean -> bean instanceof AnnotatedBeanDefinition annotated
                            && annotated.getMetadata().hasAnnotation(OwnRepositories.class.getName()))
                    .noneMatch(bean -> name.startsWith(
                            ((AnnotatedBeanDefinition) bean).getMetadata().getEnclosingClassName() + "$"));
        }
    }
}
