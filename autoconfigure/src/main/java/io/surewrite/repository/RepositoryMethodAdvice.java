package io.surewrite.repository;

import io.surewrite.session.SureSession;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.data.repository.core.RepositoryInformation;

/** One thing that can be put around repository methods. Of several, the first in bean order is the outermost. */
@FunctionalInterface
public interface RepositoryMethodAdvice {

    /**
     * Decides about one method, when the repository's proxy is made.
     *
     * @param repository the repository
     * @param method a method of its interface, declared or inherited
     * @param own what belongs to the repository: all that hangs on its template
     * @return what to put around it, or null for nothing
     * @throws RuntimeException if the method is used wrongly, which keeps the application from starting
     */
    @Nullable
    MethodInterceptor plan(RepositoryInformation repository, Method method, SureSession own);
}
