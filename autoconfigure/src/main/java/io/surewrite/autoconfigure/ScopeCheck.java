package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.ScopedCqlSession;
import io.surewrite.cql.WriteScope;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Looks for beans that send statements by a session itself, which a write scope does not reach. One with a retried method is
 * refused, as its later attempts would undo newer writes; the others are named in a warning, because a retried method may
 * call them. A class that names {@link WriteScope} or {@link ScopedCqlSession} takes care of that itself.
 */
final class ScopeCheck implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(ScopeCheck.class);

    private static final List<String> CARES = List.of(
            WriteScope.class.getName(), ScopedCqlSession.class.getName(), "io.surewrite.cql.ReactiveWriteScope");

    private final ConfigurableListableBeanFactory beans;
    private final AtomicBoolean retryIsUsed = new AtomicBoolean();

    ScopeCheck(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    void retryIsUsed() {
        retryIsUsed.set(true);
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (!retryIsUsed.get()) {
            return;
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

    private static String finding(String name, Class<?> type, String session) {
        MethodIntrospector.selectMethods(type, (Method method) -> isRetried(method, type) ? method : null)
                .keySet()
                .stream()
                .findFirst()
                .ifPresent(method -> {
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
