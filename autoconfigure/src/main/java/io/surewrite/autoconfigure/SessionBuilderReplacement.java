package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import io.surewrite.cql.SureSessionBuilder;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Turns the application's {@code CqlSessionBuilder}, which Spring Boot and every customizer are done with, into a {@link
 * SureSessionBuilder}. A builder of a class of its own is left alone; {@link SessionCheck} sees what it builds.
 */
final class SessionBuilderReplacement implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean.getClass() == CqlSessionBuilder.class ? SureSessionBuilder.from((CqlSessionBuilder) bean) : bean;
    }
}
