package io.surewrite.repository;

import io.surewrite.cql.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.ProxyFactory;

/**
 * What is refused of the repositories of one application. It is collected until all of them were made, so that one start
 * reports everything; all else, such as a cluster that is away, ends the start at once. Until then no method of a refused repository runs.
 */
final class Refusals {

    private static final Logger LOGGER = LoggerFactory.getLogger(Refusals.class);

    private final List<InvalidConfigurationException> found = new CopyOnWriteArrayList<>();
    private volatile boolean complete;

    /** Begins to look at one repository. */
    Look look() {
        return new Look();
    }

    /** Reports what was found. From now on the refusal of a repository, which is made late then, is reported at once. */
    void report() {
        complete = true; // first: who adds something now looks at this afterwards, and reports it itself
        if (!found.isEmpty()) {
            throw InvalidConfigurationException.all(found);
        }
    }

    /** The start has ended for another reason: what was found so far is said all the same. */
    void sayIfUnreported() {
        if (!complete && !found.isEmpty()) {
            LOGGER.error(
                    "This is refused, too:\n{}",
                    InvalidConfigurationException.all(found).getMessage());
        }
    }

    /** One repository. */
    final class Look {

        private final List<InvalidConfigurationException> ofThis = new ArrayList<>();

        /**
         * Looks at a part of the repository.
         *
         * @return what it found; null if that is nothing, or if it was refused
         */
        <T> @Nullable T at(Supplier<? extends @Nullable T> part) {
            try {
                return part.get();
            } catch (InvalidConfigurationException refused) {
                refuse(refused);
                return null;
            }
        }

        void refuse(InvalidConfigurationException refused) {
            ofThis.add(refused);
            found.add(refused);
        }

        /** Lets no method of a refused repository run, should one be called before the start has ended. */
        void close(ProxyFactory proxy) {
            if (ofThis.isEmpty()) {
                return;
            }
            if (complete) {
                throw InvalidConfigurationException.all(ofThis);
            }
            proxy.addAdvice(0, (MethodInterceptor) invocation -> {
                if (invocation.getMethod().getDeclaringClass() == Object.class) {
                    return invocation.proceed();
                }
                throw InvalidConfigurationException.all(ofThis);
            });
        }
    }
}
