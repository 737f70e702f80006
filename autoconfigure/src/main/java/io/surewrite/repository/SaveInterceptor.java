package io.surewrite.repository;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Sends saves another way. */
final class SaveInterceptor implements MethodInterceptor {

    private final SaveMethods methods;
    private final Saves saves;

    SaveInterceptor(SaveMethods methods, Saves saves) {
        this.methods = methods;
        this.saves = saves;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object argument = invocation.getArguments().length == 1 ? invocation.getArguments()[0] : null;
        if (argument == null || !methods.contains(invocation.getMethod())) {
            return invocation.proceed();
        }
        return invocation.getMethod().getName().equals("save") ? saves.save(argument) : saves.saveAll(argument);
    }

    /** How to save. */
    interface Saves {

        Object save(Object entity);

        Object saveAll(Object entities);
    }
}
