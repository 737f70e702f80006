package io.surewrite.repository;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/**
 * A method as advice around it sees it. Spring's proxies, and Spring Data's, run a suspending function of Kotlin as one that
 * returns a {@link Mono}, and pass its continuation behind its arguments.
 */
final class Signature {

    private static final boolean COROUTINES =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", Signature.class.getClassLoader());

    private Signature() {}

    static boolean isSuspending(Method method) {
        return KotlinDetector.isSuspendingFunction(method);
    }

    static Class<?> returnType(Method method) {
        return isSuspending(method) && COROUTINES ? Publishing.TYPE : method.getReturnType();
    }

    /** What the caller gets in the end, with its type arguments. */
    static Type answer(Method method) {
        if (!isSuspending(method)) {
            return method.getGenericReturnType();
        }
        Type[] types = method.getGenericParameterTypes();
        Type answer = ((ParameterizedType) types[types.length - 1]).getActualTypeArguments()[0];
        return answer instanceof WildcardType wildcard ? wildcard.getLowerBounds()[0] : answer;
    }

    static int parameterCount(Method method) {
        return method.getParameterCount() - (isSuspending(method) ? 1 : 0);
    }

    static void requireVisibleEnd(Method method) {
        if (!isSuspending(method)) {
            return;
        }
        if (!COROUTINES) {
            throw new IllegalArgumentException("it suspends, and nothing shows when it is done. Fix: add the dependency"
                    + " org.jetbrains.kotlinx:kotlinx-coroutines-reactor");
        }
        if (answer(method) instanceof ParameterizedType type
                && type.getRawType().getTypeName().equals("kotlinx.coroutines.flow.Flow")) {
            throw new IllegalArgumentException(
                    "it suspends and answers a Flow, so that what is done by the Flow begins when the function is done."
                            + " Fix: leave out suspend");
        }
    }

    /** Apart, because Reactor is optional; Kotlin's bridge to it brings it. */
    private static final class Publishing {

        private static final Class<?> TYPE = Mono.class;
    }
}
