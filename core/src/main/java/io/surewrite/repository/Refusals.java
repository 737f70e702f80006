package io.surewrite.repository;

import io.surewrite.lease.LeasedMethodException;
import io.surewrite.overwrite.OverwriteException;
import io.surewrite.retry.IdempotentMethodException;
import io.surewrite.session.SureSessionException;
import io.surewrite.unique.InvalidConstraintException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.ProxyFactory;

/**
 * What is refused of the repositories of one application. It is collected until all of them were made, so that one start
 * reports everything. Until then no method of a refused repository runs.
 */
final class Refusals {

    /** What an annotation or a setting causes; all else, such as a cluster that is away, ends the start at once. */
    private static final Set<Class<? extends RuntimeException>> KINDS = Set.of(
            IdempotentMethodException.class,
            InvalidConstraintException.class,
            LeasedMethodException.class,
            OverwriteException.class,
            SureSessionException.class);

    private static final Logger LOGGER = LoggerFactory.getLogger(Refusals.class);

    private final List<RuntimeException> found = new CopyOnWriteArrayList<>();
    private volatile boolean complete;

    /** Begins to look at one repository. */
    Look look() {
        return new Look();
    }

    /** Reports what was found. From now on the refusal of a repository, which is made late then, is reported at once. */
    void report() {
        complete = true; // first: who adds something now looks at this afterwards, and reports it itself
        if (!found.isEmpty()) {
            throw RefusedRepositoriesException.of(found);
        }
    }

    /** The start has ended for another reason: what was found so far is said all the same. */
    void sayIfUnreported() {
        if (!complete && !found.isEmpty()) {
            LOGGER.error(
                    "This is refused, too:\n{}",
                    RefusedRepositoriesException.of(found).getMessage());
        }
    }

    private static boolean isRefusal(Throwable failure) {
        return KINDS.stream().anyMatch(kind -> kind.isInstance(failure));
    }

    /** One repository. */
    final class Look {

        private final List<RuntimeException> ofThis = new ArrayList<>();

        /**
         * Looks at a part of the repository.
         *
         * @return what it found; null if that is nothing, or if it was refused
         */
        <T> @Nullable T at(Supplier<? extends @Nullable T> part) {
            try {
                return part.get();
            } catch (RuntimeException refused) {
                if (!isRefusal(refused)) {
                    throw refused;
                }
                refuse(refused);
                for (Throwable beside : refused.getSuppressed()) {
                    if (beside instanceof RuntimeException another && isRefusal(another)) {
                        refuse(another);
                    }
                }
                return null;
            }
        }

        void refuse(RuntimeException refused) {
            ofThis.add(refused);
            found.add(refused);
        }

        /** Lets no method of a refused repository run, should one be called before the start has ended. */
        void close(ProxyFactory proxy) {
            if (ofThis.isEmpty()) {
                return;
            }
            if (complete) {
                throw RefusedRepositoriesException.of(ofThis);
            }
            proxy.addAdvice(0, (MethodInterceptor) invocation -> {
                if (invocation.getMethod().getDeclaringClass() == Object.class) {
                    return invocation.proceed();
                }
                throw RefusedRepositoriesException.of(ofThis);
            });
        }
    }

    /** One exception for several, which {@link Look#at} takes apart again. */
    static <E extends RuntimeException> void throwAll(List<E> refusals) {
        if (!refusals.isEmpty()) {
            E first = refusals.get(0);
            refusals.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }
}
