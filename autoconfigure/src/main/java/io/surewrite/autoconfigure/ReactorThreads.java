package io.surewrite.autoconfigure;

import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.env.Environment;
import reactor.core.publisher.Hooks;

/**
 * Has Reactor take the scope of a subscription to every thread that works for it, unless the application has decided
 * otherwise by {@code spring.reactor.context-propagation=limited}.
 *
 * @param environment holds that property, which is Spring Boot's
 */
record ReactorThreads(Environment environment) {

    static final String PROPERTY = "spring.reactor.context-propagation";

    /** Whether the method answers by a publisher. Where that is so, Reactor is there. */
    static boolean isReactive(Method method) {
        Class<?> type = method.getReturnType();
        return !CompletionStage.class.isAssignableFrom(type)
                && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    void followScope() {
        if (!"limited".equalsIgnoreCase(environment.getProperty(PROPERTY))) {
            Hooks.enableAutomaticContextPropagation();
        }
    }

    /** Whether they do: not if it was not wanted, and not without the library. */
    boolean scopeIsFollowed() {
        return Hooks.isAutomaticContextPropagationEnabled();
    }
}
