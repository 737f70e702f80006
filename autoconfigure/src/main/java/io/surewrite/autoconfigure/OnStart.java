package io.surewrite.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Where Surewrite is on, and {@code surewrite.start} has this value. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnStart.Condition.class)
@interface OnStart {

    Mode value();

    /** Whether a start ends where something cannot be sure, or lists it and Surewrite does nothing. */
    enum Mode {
        REFUSE,
        REPORT
    }

    /** Says in the report of a start why a bean of ours is not there. */
    final class Condition extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            if (!environment.getProperty("surewrite.enabled", Boolean.class, true)) {
                return ConditionOutcome.noMatch("surewrite.enabled=false leaves Surewrite out");
            }
            Mode mode =
                    Binder.get(environment).bind("surewrite.start", Mode.class).orElse(Mode.REFUSE);
            ConfigurableListableBeanFactory beans = context.getBeanFactory();
            if (beans != null && beans.containsSingleton(StartReport.LOOK)) {
                mode = Mode.REFUSE;
            }
            Map<String, Object> attributes =
                    Objects.requireNonNull(metadata.getAnnotationAttributes(OnStart.class.getName()));
            return mode == attributes.get("value")
                    ? ConditionOutcome.match()
                    : ConditionOutcome.noMatch("surewrite.start=report adds no bean that an application could use");
        }
    }
}
