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
import java.util.function.Predicate;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.Environment;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.repository.CrudRepository;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;
import reactor.core.publisher.Hooks;

/**
 * Looks for beans that send statements by a session itself, which a write scope does not reach. One with a retried method is
 * refused, as its later attempts would undo newer writes. Refused, too, is one with a retried method that returns a publisher
 * and with a blocking template or repository, if Reactor does not take the scope along to the threads where blocking calls belong.
 */
final class ScopeCheck implements Refusals.LastLook {

    private static final String PROPAGATION = "spring.reactor.context-propagation";

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;
    private final Refusals refusals;
    private final AtomicBoolean retryIsUsed = new AtomicBoolean();
    private final AtomicBoolean publishersAreRetried = new AtomicBoolean();

    ScopeCheck(ConfigurableListableBeanFactory beans, Environment environment, Refusals refusals) {
        this.beans = beans;
        this.refusals = refusals;
        this.environment = environment;
    }

    /** For a method of a bean: it is not known on which threads it writes, so Reactor is to take its scope along. */
    void retryIsUsed(Method method) {
        retryIsUsed();
        if (returnsPublisher(method)
                && publishersAreRetried.compareAndSet(false, true)
                && !refusals.areReported()
                && !isLimited()) {
            Hooks.enableAutomaticContextPropagation(); // in vain without its library
        }
    }

    private boolean isLimited() {
        return "limited".equalsIgnoreCase(environment.getProperty(PROPAGATION));
    }

    /** Whether Reactor takes the scope along, or would if anything but a report were asked for. */
    private boolean isPropagated() {
        return Hooks.isAutomaticContextPropagationEnabled()
                || (refusals.areReported()
                        && !isLimited()
                        && ClassUtils.isPresent("io.micrometer.context.ContextRegistry", null));
    }

    void retryIsUsed() {
        retryIsUsed.set(true);
    }

    private static boolean returnsPublisher(Method method) {
        Class<?> type = method.getReturnType();
        return !CompletionStage.class.isAssignableFrom(type)
                && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
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
        if (publishersAreRetried.get() && !isPropagated()) {
            for (Class<?> blocking : List.of(CassandraOperations.class, CqlOperations.class, CrudRepository.class)) {
                for (String sender : application.getBeanNamesForType(blocking, true, false)) {
                    refuse(application, sender, ScopeCheck::returnsPublisher, """
                            it returns a publisher, the bean '%s' uses the blocking '%s', and Reactor does not take \
                            the scope of the retry to the threads where blocking calls belong: a later attempt would \
                            undo a newer write. Fix: set spring.reactor.context-propagation=auto and have \
                            io.micrometer:context-propagation on the class path, or write by a reactive template or repository""");
                }
            }
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
                refuse(application, name, method -> true, """
                        the bean '%s' is given the session '%s' itself, which takes no timestamp from the retry: a later \
                        attempt would undo a newer write. Fix: send by a template: its execute(SessionCallback) hands over \
                        a session that takes part""");
            }
        }
    }

    private void refuse(
            ConfigurableListableBeanFactory application, String sender, Predicate<Method> which, String reason) {
        for (String name : application.getDependentBeans(sender)) {
            Class<?> known = application.containsBean(name) ? application.getType(name) : null;
            if (known != null && isUsers(known)) {
                Class<?> type = ClassUtils.getUserClass(known);
                MethodFilter refused = method -> isRetried(method, type) && which.test(method);
                MethodIntrospector.selectMethods(type, refused)
                        .forEach(method -> refusals.add(IdempotentPlans.refused(
                                type.getSimpleName() + "." + method.getName(),
                                List.of(reason.formatted(name, sender)))));
            }
        }
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
