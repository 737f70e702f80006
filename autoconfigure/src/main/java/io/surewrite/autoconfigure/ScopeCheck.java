package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.internal.session.ScopedCqlSession;
import io.surewrite.internal.session.SessionDecorator;
import io.surewrite.internal.session.WeakPolicies;
import io.surewrite.repository.IdempotentPlans;
import io.surewrite.repository.Refusals;
import io.surewrite.retry.Idempotent;
import io.surewrite.write.InvalidConfigurationException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.Environment;
import org.springframework.data.cassandra.ReactiveSession;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;
import reactor.core.publisher.Hooks;

/**
 * Looks for beans that send statements by a session itself, which a write scope does not reach. One with a retried method is
 * refused, as its later attempts would undo newer writes. Refused, too, is a retried method of a bean that returns a publisher, if
 * Reactor does not take the scope along to the threads where blocking calls belong: it is not known on which threads it writes.
 */
final class ScopeCheck implements Refusals.LastLook {

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;
    private final Refusals refusals;
    private final AtomicBoolean retryIsUsed = new AtomicBoolean();

    ScopeCheck(ConfigurableListableBeanFactory beans, Environment environment, Refusals refusals) {
        this.beans = beans;
        this.refusals = refusals;
        this.environment = environment;
    }

    /** By a method of a bean. */
    void retryIsUsed(Method method) {
        retryIsUsed();
        Class<?> type = method.getReturnType();
        if (CompletionStage.class.isAssignableFrom(type)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) == null
                || Hooks.isAutomaticContextPropagationEnabled()) {
            return;
        }
        if ("limited".equalsIgnoreCase(environment.getProperty("spring.reactor.context-propagation"))
                || !ClassUtils.isPresent("io.micrometer.context.ContextRegistry", null)) {
            throw refused(method.getDeclaringClass(), method, """
                    it returns a publisher, and Reactor does not take the scope of the retry to the threads where blocking \
                    calls belong: a later attempt of a write there would undo a newer one. Fix: set \
                    spring.reactor.context-propagation=auto and have io.micrometer:context-propagation on the class path""");
        }
        if (!refusals.areReported()) {
            Hooks.enableAutomaticContextPropagation();
        }
    }

    void retryIsUsed() {
        retryIsUsed.set(true);
    }

    @Override
    public void lookAtAll() {
        look(beans);
    }

    /** Looks at this application, or at the one beside which this is. */
    void look(ConfigurableListableBeanFactory application) {
        if (!retryIsUsed.get()) {
            return;
        }
        for (String name : application.getBeanNamesForType(CqlSession.class, true, false)) {
            if (refusals.areReported() && !application.containsSingleton(name)) {
                continue; // nobody has asked for it yet
            }
            CqlSession session = application.getBean(name, CqlSession.class);
            InvalidConfigurationException policy = SessionDecorator.isReal(session)
                    ? WeakPolicies.refusal("What is @Idempotent", name, session)
                    : null;
            if (policy != null) {
                refusals.add(policy);
            }
            if (!(session instanceof ScopedCqlSession)) {
                refuseUsers(application, name);
            }
        }
        for (String name : application.getBeanNamesForType(ReactiveSession.class, true, false)) {
            refuseUsers(application, name);
        }
    }

    private void refuseUsers(ConfigurableListableBeanFactory application, String session) {
        for (String name : application.getDependentBeans(session)) {
            Class<?> known = application.containsBean(name) ? application.getType(name) : null;
            if (known != null && isUsers(known)) {
                Class<?> type = ClassUtils.getUserClass(known);
                MethodIntrospector.selectMethods(type, (MethodFilter) method -> isRetried(method, type))
                        .forEach(method -> refusals.add(refused(type, method, """
                                the bean '%s' is given the session '%s' itself, which takes no timestamp from the retry: a later \
                                attempt would undo a newer write. Fix: send by a template: its execute(SessionCallback) hands over \
                                a session that takes part""".formatted(name, session))));
            }
        }
    }

    private static InvalidConfigurationException refused(Class<?> type, Method method, String reason) {
        return IdempotentPlans.refused(type.getSimpleName() + "." + method.getName(), List.of(reason));
    }

    private static boolean isRetried(Method method, Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(method, Idempotent.class)
                || (AnnotatedElementUtils.hasAnnotation(type, Idempotent.class)
                        && method.getDeclaringClass() != Object.class
                        && Modifier.isPublic(method.getModifiers()));
    }

    private static boolean isUsers(Class<?> type) {
        return !type.getName().startsWith("org.springframework.")
                && !type.getName().startsWith("com.datastax.")
                && !type.getName().startsWith("io.surewrite.");
    }
}
