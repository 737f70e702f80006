package io.surewrite.autoconfigure;

import io.surewrite.cql.session.TemplateScope;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Brings every template of the application into the write scope, whoever has made it. */
final class TemplateScopes implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        TemplateScope.enter(bean);
        return bean;
    }
}
