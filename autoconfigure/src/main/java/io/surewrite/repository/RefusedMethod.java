package io.surewrite.repository;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/**
 * A method that every repository inherits and that this one must not use.
 *
 * @param message why, and what to do instead
 */
record RefusedMethod(String message) implements MethodInterceptor {

    @Override
    public Object invoke(MethodInvocation invocation) {
        throw new InvalidDataAccessApiUsageException(message);
    }
}
