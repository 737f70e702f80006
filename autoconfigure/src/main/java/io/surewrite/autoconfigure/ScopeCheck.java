package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.session.DriverSessions;
import io.surewrite.cql.session.ScopedCqlSession;
import io.surewrite.cql.session.WeakPolicies;
import io.surewrite.repository.IdempotentPlans;
import io.surewrite.retry.Idempotent;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
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
 * refused, as its later attempts would undo newer writes; the others are named in a warning, because a retried method may
 * call them. Refused, too, is one with a retried method that returns a publisher and with a blocking template or repository, if
 * Reactor does not take the scope along to the threads where blocking calls belong. A class that names {@link WriteScope} or {@link ScopedCqlSession} takes care of that itself.
 */
final class ScopeCheck implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(ScopeCheck.class);

    private static final String PROPAGATION = "spring.reactor.context-propagation";

    private static final List<String> CARES = List.of(
            WriteScope.class.getName(), ScopedCqlSession.class.getName(), "io.surewrite.cql.ReactiveWriteScope");

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;
    private final AtomicBoolean retryIsUsed = new AtomicBoolean();
    private final AtomicBoolean publishersAreRetried = new AtomicBoolean();

    /**
     * @param environment has whether Reactor takes the scope along
     */
    ScopeCheck(ConfigurableListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    /**
     * A method of a bean that is no repository: it is not known on which threads it writes. Reactor takes its scope to every
     * thread that works for a subscription, unless the application has decided otherwise.
     */
    void retryIsUsed(Method method) {
        retryIsUsed();
        if (returnsPublisher(method)
                && publishersAreRetried.compareAndSet(false, true)
                && !"limited".equalsIgnoreCase(environment.getProperty(PROPAGATION))) {
            Hooks.enableAutomaticContextPropagation(); // in vain without its library
        }
    }

    void retryIsUsed() {
        retryIsUsed.set(true);
    }

    /** Where a method does, Reactor is there. */
    private static boolean returnsPublisher(Method method) {
        Class<?> type = method.getReturnType();
        return !CompletionStage.class.isAssignableFrom(type)
                && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (!retryIsUsed.get()) {
            return;
        }
        if (publishersAreRetried.get() && !Hooks.isAutomaticContextPropagationEnabled()) {
            for (Class<?> blocking : List.of(CassandraOperations.class, CqlOperations.class, CrudRepository.class)) {
                for (String sender : beans.getBeanNamesForType(blocking, true, false)) {
                    usersOf(sender)
                            .forEach((name, type) -> refuse(
                                    type, ScopeCheck::returnsPublisher, """
                                    it returns a publisher, the bean '%s' uses the blocking '%s', and Reactor does not take \
                                    the scope of the retry to the threads where blocking calls belong: a later attempt would \
                                    undo a newer write. Instead, set %s=auto and have io.micrometer:context-propagation on \
                                    the class path, or write by a reactive template or repository""".formatted(name, sender, PROPAGATION)));
                }
            }
        }
        List<String> findings = new ArrayList<>();
        beans.getBeansOfType(CqlSession.class, true, false).forEach((name, session) -> {
            String policy = DriverSessions.isReal(session) ? WeakPolicies.ofDefault(session) : null;
            if (policy != null) {
                throw WeakPolicies.refused("What is @Idempotent", name, policy);
            }
        });
        for (String session : beans.getBeanNamesForType(CqlSession.class, true, false)) {
            if (!(beans.getSingleton(session) instanceof ScopedCqlSession)) {
                usersOf(session).forEach((name, type) -> {
                    refuse(type, method -> true, """
                            the bean '%s' sends by the session '%s' itself, which takes no timestamp from the retry: a later \
                            attempt would undo a newer write. Instead, send by a template, or by \
                            ScopedCqlSession.of(session), or call WriteScope.apply(statement) before each execution""".formatted(name, session));
                    findings.add("bean '%s' uses the session '%s' itself".formatted(name, session));
                });
            }
        }
        if (!findings.isEmpty()) {
            log.warn("""
                Some statements do not take part in retried writes and keep no pinned timestamp:
                 - {}
                Instead, send them by a template, or by ScopedCqlSession.of(session), or call \
                WriteScope.apply(statement) before each execution\
                """, String.join("\n - ", findings));
        }
    }

    /** The application's beans that depend on a bean and do not take care of the scope themselves, with their types. */
    private Map<String, Class<?>> usersOf(String bean) {
        Map<String, Class<?>> users = new LinkedHashMap<>();
        for (String name : beans.getDependentBeans(bean)) {
            Class<?> type = beans.containsBean(name) ? beans.getType(name) : null;
            if (type != null && isUsers(type) && !takesCare(ClassUtils.getUserClass(type))) {
                users.put(name, ClassUtils.getUserClass(type));
            }
        }
        return users;
    }

    /** Refuses a bean that has such a retried method. */
    private static void refuse(Class<?> type, Predicate<Method> which, String reason) {
        MethodFilter refused = method -> isRetried(method, type) && which.test(method);
        MethodIntrospector.selectMethods(type, refused).stream().findFirst().ifPresent(method -> {
            throw IdempotentPlans.refused(type.getSimpleName() + "." + method.getName(), List.of(reason));
        });
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

    /**
     * Whether a class names what takes care: names of classes stand in the constants of a class file as they are. In a native
     * image there are no class files: who has none is believed.
     */
    private static boolean takesCare(Class<?> type) {
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            try (InputStream file = each.getResourceAsStream(ClassUtils.getClassFileName(each))) {
                String code = file == null ? null : new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
                if (code == null || CARES.stream().anyMatch(name -> code.contains(name.replace('.', '/')))) {
                    return true;
                }
            } catch (IOException unreadable) {
                return true;
            }
        }
        return false;
    }
}
