package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.ScopedAsyncCqlTemplate;
import io.surewrite.cql.ScopedCqlTemplate;
import io.surewrite.cql.ScopedReactiveSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.data.cassandra.ReactiveSession;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.cql.AsyncCqlOperations;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.util.ClassUtils;

/** Names, in one warning, the beans whose statements a write scope does not reach. */
final class ScopeCheck implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(ScopeCheck.class);

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
        List<String> findings = retryIsUsed.get() ? findings() : List.of();
        if (!findings.isEmpty()) {
            log.warn("""
                    Some statements do not take part in retried writes and keep no pinned timestamp:
                     - {}
                    Mend: use the auto-configured templates or extend ours (io.surewrite.cql.ScopedCqlTemplate), \
                    or call WriteScope.apply(statement) before each execution""", String.join("\n - ", findings));
        }
    }

    private List<String> findings() {
        List<String> findings = new ArrayList<>();
        beansNot(ScopedCqlTemplate.class, CqlOperations.class, findings);
        beansNot(ScopedAsyncCqlTemplate.class, AsyncCqlOperations.class, findings);
        if (ClassUtils.isPresent("reactor.core.publisher.Flux", getClass().getClassLoader())) {
            beansNot(ScopedReactiveSession.class, ReactiveSession.class, findings);
        }
        Collection<CqlOperations> named =
                beans.getBeansOfType(CqlOperations.class).values();
        beans.getBeansOfType(CassandraTemplate.class, false, false).forEach((name, template) -> {
            CqlOperations operations = template.getCqlOperations();
            if (!(operations instanceof ScopedCqlTemplate) && !named.contains(operations)) {
                findings.add("bean '%s' sends by a template of its own".formatted(name));
            }
        });
        for (String session : beans.getBeanNamesForType(CqlSession.class)) {
            Arrays.stream(beans.getDependentBeans(session))
                    .filter(this::isUsers)
                    .map(name -> "bean '%s' uses the session '%s' itself".formatted(name, session))
                    .forEach(findings::add);
        }
        return findings;
    }

    private void beansNot(Class<?> ours, Class<?> type, List<String> findings) {
        beans.getBeansOfType(type, false, false).forEach((name, bean) -> {
            if (!ours.isInstance(bean)) {
                findings.add("bean '%s' is a %s, not a %s"
                        .formatted(name, bean.getClass().getSimpleName(), ours.getSimpleName()));
            }
        });
    }

    /** Not Spring's and not ours; what cannot be told is left out. */
    private boolean isUsers(String name) {
        Class<?> type = beans.containsBean(name) ? beans.getType(name) : null;
        return type != null
                && !type.getName().startsWith("org.springframework.")
                && !type.getName().startsWith("com.datastax.")
                && !type.getName().startsWith("io.surewrite.");
    }
}
