package io.surewrite.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import java.util.Objects;
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

    /** What becomes of a start where something cannot be sure. */
    enum Mode {

        /** It ends. */
        REFUSE,

        /** It goes on, and Surewrite does nothing but list what it would have refused. */
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
            Map<String, Object> attributes =
                    Objects.requireNonNull(metadata.getAnnotationAttributes(OnStart.class.getName()));
            return Binder.get(environment).bind("surewrite.start", Mode.class).orElse(Mode.REFUSE)
                            == attributes.get("value")
                    ? ConditionOutcome.match()
                    : ConditionOutcome.noMatch("surewrite.start=report adds no bean that an application could use");
        }
    }
}
