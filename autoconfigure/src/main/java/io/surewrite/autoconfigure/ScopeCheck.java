package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.session.ScopedCqlSession;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.IdempotentMethodException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.repository.CrudRepository;
import org.springframework.util.ClassUtils;

/**
 * Looks for beans that send statements by a session itself, which a write scope does not reach. One with a retried method is
 * refused, as its later attempts would undo newer writes; the others are named in a warning, because a retried method may
 * call them. Refused, too, is one with a retried method that returns a publisher and with a blocking template or repository, if
 * Reactor does not take the scope along to the threads where blocking calls belong. A class that names {@link WriteScope} or {@link ScopedCqlSession} takes care of that itself.
 */
final class ScopeCheck implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(ScopeCheck.class);

    private static final List<String> CARES = List.of(
            WriteScope.class.getName(), ScopedCqlSession.class.getName(), "io.surewrite.cql.ReactiveWriteScope");

    private final ConfigurableListableBeanFactory beans;
    private final ReactorThreads reactor;
    private final AtomicBoolean retryIsUsed = new AtomicBoolean();
    private final AtomicBoolean publishersAreRetried = new AtomicBoolean();

    ScopeCheck(ConfigurableListableBeanFactory beans, ReactorThreads reactor) {
        this.beans = beans;
        this.reactor = reactor;
    }

    /** A method of a bean that is no repository: nobody knows on which threads it writes. */
    void retryIsUsed(Method method) {
        retryIsUsed();
        if (ReactorThreads.isReactive(method) && publishersAreRetried.compareAndSet(false, true)) {
            reactor.followScope();
        }
    }

    void retryIsUsed() {
        retryIsUsed.set(true);
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (!retryIsUsed.get()) {
            return;
        }
        if (publishersAreRetried.get() && !reactor.scopeIsFollowed()) {
            refuseBlockingWritesOfPublishers();
        }
        List<String> findings = new ArrayList<>();
        for (String session : beans.getBeanNamesForType(CqlSession.class, true, false)) {
            if (beans.getSingleton(session) instanceof ScopedCqlSession) {
                continue;
            }
            for (String name : beans.getDependentBeans(session)) {
                Class<?> type = beans.containsBean(name) ? beans.getType(name) : null;
                if (type != null && isUsers(type) && !takesCare(ClassUtils.getUserClass(type))) {
                    findings.add(finding(name, ClassUtils.getUserClass(type), session));
                }
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

    private void refuseBlockingWritesOfPublishers() {
        for (Class<?> blocking : List.of(CassandraOperations.class, CqlOperations.class, CrudRepository.class)) {
            for (String sender : beans.getBeanNamesForType(blocking, true, false)) {
                for (String name : beans.getDependentBeans(sender)) {
                    Class<?> type = beans.containsBean(name) ? beans.getType(name) : null;
                    if (type != null && isUsers(type) && !takesCare(ClassUtils.getUserClass(type))) {
                        refuse(name, ClassUtils.getUserClass(type), sender);
                    }
                }
            }
        }
    }

    private static void refuse(String name, Class<?> type, String sender) {
        retried(type).filter(ReactorThreads::isReactive).findFirst().ifPresent(method -> {
            throw new IdempotentMethodException(
                    type.getSimpleName() + "." + method.getName(),
                    List.of(("it returns a publisher, the bean '%s' uses the blocking '%s', and Reactor does not"
                                    + " take the scope of the retry to the threads where blocking calls belong: a"
                                    + " later attempt would undo a newer write. Instead, set %s=auto and have"
                                    + " io.micrometer:context-propagation on the class path, or write by a"
                                    + " reactive template or repository")
                            .formatted(name, sender, ReactorThreads.PROPERTY)));
        });
    }

    private static Stream<Method> retried(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (Method method) -> isRetried(method, type) ? method : null)
                .keySet()
                .stream();
    }

    private static String finding(String name, Class<?> type, String session) {
        retried(type).findFirst().ifPresent(method -> {
            throw new IdempotentMethodException(
                    type.getSimpleName() + "." + method.getName(),
                    List.of(("the bean '%s' sends by the session '%s' itself, which takes no timestamp from"
                                    + " the retry: a later attempt would undo a newer write. Instead, send by a"
                                    + " template, or by ScopedCqlSession.of(session), or call"
                                    + " WriteScope.apply(statement) before each execution")
                            .formatted(name, session)));
        });
        return "bean '%s' uses the session '%s' itself".formatted(name, session);
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

    /** In a native image there are no class files: who has none is believed. */
    private static boolean takesCare(Class<?> type) {
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            try (InputStream code = each.getResourceAsStream(ClassUtils.getClassFileName(each))) {
                if (code == null || names(new String(code.readAllBytes(), StandardCharsets.ISO_8859_1))) {
                    return true;
                }
            } catch (IOException unreadable) {
                return true;
            }
        }
        return false;
    }

    /** Names of classes stand in the constants of a class file as they are. */
    private static boolean names(String code) {
        return CARES.stream().anyMatch(name -> code.contains(name.replace('.', '/')));
    }
}
