package io.surewrite.repository;

import java.lang.reflect.Method;
import org.springframework.core.ReactiveAdapter;

/** What a retried method does with an argument that comes as a publisher, and so when its writes are decided. */
enum Streams {
    /** Not known: a stream is refused, and a single value is waited for. */
    OF_ITS_OWN,
    /** It only reads. */
    READ,
    /** It takes the first element alone. */
    FIRST,
    /** It writes each element by itself. */
    ELEMENTS,
    /** As before, and one row written must be there before the next. */
    ELEMENTS_IN_ORDER;

    boolean areElements() {
        return this == ELEMENTS || this == ELEMENTS_IN_ORDER;
    }

    /**
     * Which parameter is a publisher.
     *
     * @return its index, or -1 if there is none, or if Reactor is not there
     * @throws IllegalArgumentException if what it emits may be decided long after the call
     */
    int parameterOf(Method method) {
        int found = -1;
        if (this == READ) {
            return found;
        }
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            ReactiveAdapter adapter =
                    RetriedMethod.reactive(types[i]); // a future that is given was begun by the caller
            if (adapter == null || adapter.isNoValue()) {
                continue;
            }
            if (found >= 0 || (this == OF_ITS_OWN && adapter.isMultiValue())) {
                throw refusal(types[i]);
            }
            found = i;
        }
        return found;
    }

    /**
     * Requires that no parameter is a publisher, as the method subscribes to it when it has begun.
     *
     * @throws IllegalArgumentException if one is
     */
    void requireNone(Method method) {
        int found = parameterOf(method);
        if (found >= 0) {
            throw refusal(method.getParameterTypes()[found]);
        }
    }

    private static IllegalArgumentException refusal(Class<?> type) {
        return new IllegalArgumentException(
                ("it takes a %s, whose elements may come long after the call began and would all have its timestamp: a"
                                + " late one would lose to what others wrote before it came. Instead, take a List, or"
                                + " pass the stream to saveAll of a repository, or to ReactiveWriteRetry.each, and leave"
                                + " @Idempotent out here")
                        .formatted(type.getSimpleName()));
    }
}
