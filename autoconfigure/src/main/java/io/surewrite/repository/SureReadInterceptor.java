package io.surewrite.repository;

import io.surewrite.cql.WriteScope;
import io.surewrite.cql.session.SureReads;
import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Has what a method reads go out at the level of sure writes. */
final class SureReadInterceptor {

    private SureReadInterceptor() {}

    static MethodInterceptor of(Method method) {
        MethodInterceptor reactive = Answers.hasReactor() ? Reactive.of(method) : null;
        return reactive == null ? SureReadInterceptor::onThisThread : reactive;
    }

    private static @Nullable Object onThisThread(MethodInvocation invocation) throws Throwable {
        WriteScope.Opened opened = SureReads.open();
        try {
            return invocation.proceed();
        } finally {
            opened.close();
        }
    }

    /** Apart, because Reactor is optional. */
    private static final class Reactive {

        static @Nullable MethodInterceptor of(Method method) {
            ReactiveAdapter adapter =
                    ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType());
            if (adapter == null || CompletionStage.class.isAssignableFrom(method.getReturnType())) {
                return null;
            }
            return invocation -> {
                Object answer = invocation.proceed();
                return answer == null ? null : adapter.fromPublisher(entered(adapter, adapter.toPublisher(answer)));
            };
        }

        private static Publisher<Object> entered(ReactiveAdapter adapter, Publisher<Object> answer) {
            return adapter.isMultiValue()
                    ? Flux.from(answer).contextWrite(SureReads.enter())
                    : Mono.from(answer).contextWrite(SureReads.enter());
        }
    }
}
