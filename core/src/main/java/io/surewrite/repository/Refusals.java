package io.surewrite.repository;

import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Role;
import org.springframework.stereotype.Component;

/**
 * What is refused of one application. It is collected until all beans were made and looked at, so that one start reports
 * everything; all else, such as a cluster that is away, ends the start at once. Until then no method runs that is refused.
 *
 * <p>Post-processors ask for it by its name, as a parameter has it: for what they ask for by its type alone, Spring would make
 * each bean of a static method that returns a FactoryBean.
 */
@Role(BeanDefinition.ROLE_INFRASTRUCTURE) // post-processors have it
@Component("surewriteRefusals")
public final class Refusals implements BeanFactoryAware, SmartInitializingSingleton, DisposableBean {

    private static final Logger LOGGER = LoggerFactory.getLogger(Refusals.class);

    private final List<InvalidConfigurationException> found = new CopyOnWriteArrayList<>();
    private volatile boolean complete;
    private @Nullable ListableBeanFactory beans;
    private @Nullable Report report;

    /** Takes refusals, and what would be a warning, so that they end no start. */
    public interface Report {

        String NAME = "surewriteStartReport";

        void take(InvalidConfigurationException finding);
    }

    /** Looks at the other beans when all were made. What it throws is refused, too. */
    public interface LastLook {

        void lookAtAll();
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = (ListableBeanFactory) beanFactory;
        this.report = beanFactory.containsBean(Report.NAME) ? beanFactory.getBean(Report.NAME, Report.class) : null;
    }

    public boolean areReported() {
        return report != null;
    }

    public void warn(Logger log, String subject, String text, String page) {
        if (report == null) {
            log.warn("{}", text);
        } else {
            report.take(finding(subject, text, page));
        }
    }

    /** Of the text, what comes after its last "Fix: " is the fix. */
    public static InvalidConfigurationException finding(String subject, String text, String page) {
        int fix = text.lastIndexOf("Fix: ");
        return fix < 0
                ? new InvalidConfigurationException(subject, text, "See the page.", page)
                : new InvalidConfigurationException(
                        subject, text.substring(0, fix).strip(), text.substring(fix + 5), page);
    }

    Look look() {
        return new Look();
    }

    public void add(InvalidConfigurationException refused) {
        found.add(refused);
    }

    /** Adds that something has no plan, unless its plan itself was refused. */
    void addUnlessRefused(InvalidConfigurationException refused) {
        if (found.stream().noneMatch(known -> known.subject().equals(refused.subject()))) {
            add(refused);
        }
    }

    /** {@return a plan; in the place of one that is refused before the start has ended, what refuses each call} */
    MethodInterceptor plan(Supplier<? extends MethodInterceptor> planning) {
        Look look = look();
        MethodInterceptor plan = look.at(planning);
        return plan == null ? look.refusing() : plan;
    }

    /** Reports what was found. From now on what is refused, being made late, is reported at once. */
    @Override
    public void afterSingletonsInstantiated() {
        for (LastLook last : Objects.requireNonNull(beans)
                .getBeansOfType(LastLook.class, true, false)
                .values()) {
            try {
                last.lookAtAll();
            } catch (RuntimeException failure) {
                found.add(refusal(failure));
            }
        }
        complete = true; // first: who adds something now looks at this afterwards, and reports it itself
        if (report != null) {
            found.forEach(report::take);
        } else if (!found.isEmpty()) {
            throw InvalidConfigurationException.all(found);
        }
    }

    private static InvalidConfigurationException refusal(RuntimeException failure) {
        InvalidConfigurationException refused =
                DriverFailures.first(failure, InvalidConfigurationException.class, known -> known);
        if (refused == null) {
            throw failure;
        }
        return refused;
    }

    /** The start has ended for another reason: what was found so far is said all the same. */
    @Override
    public void destroy() {
        if (!complete && report != null) {
            found.forEach(report::take);
        } else if (!complete && !found.isEmpty()) {
            LOGGER.error(
                    "This is refused, too:\n{}",
                    InvalidConfigurationException.all(found).getMessage());
        }
    }

    final class Look {

        private final List<InvalidConfigurationException> ofThis = new ArrayList<>();

        /** {@return what is found at a part; null if that is nothing, or if it was refused} */
        <T> @Nullable T at(Supplier<? extends @Nullable T> part) {
            try {
                return part.get();
            } catch (InvalidConfigurationException refused) {
                refuse(refused);
                return null;
            }
        }

        void run(Runnable part) {
            var unused = at(() -> {
                part.run();
                return null;
            });
        }

        void refuse(InvalidConfigurationException refused) {
            ofThis.add(refused);
            found.add(refused);
        }

        /** Lets no method of a refused repository run, should one be called before the start has ended. */
        void close(ProxyFactory proxy) {
            if (!ofThis.isEmpty()) {
                MethodInterceptor refusing = refusing();
                proxy.addAdvice(0, (MethodInterceptor)
                        invocation -> invocation.getMethod().getDeclaringClass() == Object.class
                                ? invocation.proceed()
                                : refusing.invoke(invocation));
            }
        }

        /** {@return what refuses each call; if the start is over, this refuses what is made late} */
        private MethodInterceptor refusing() {
            InvalidConfigurationException refused = InvalidConfigurationException.all(ofThis);
            if (complete) {
                throw refused;
            }
            return invocation -> {
                throw refused;
            };
        }
    }
}
