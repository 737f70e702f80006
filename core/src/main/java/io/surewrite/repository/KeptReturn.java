package io.surewrite.repository;

import io.surewrite.cql.WriteKeeper;
import io.surewrite.cql.WriteReceipt;
import io.surewrite.retry.engine.Fallback;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.ReactiveAdapter;

/**
 * What a method returns when its write is kept for later: nothing, its entity, or a receipt.
 *
 * @param answer what it returns, by its arguments and the receipt
 * @param whenWritten what it returns for a write that was done at once and returned nothing
 */
record KeptReturn(
        WriteKeeper keeper,
        BiFunction<@Nullable Object[], WriteReceipt, @Nullable Object> answer,
        @Nullable Object whenWritten) {

    /**
     * Looks at a method.
     *
     * @throws IllegalArgumentException if what it returns can only come from the database
     */
    static KeptReturn of(Method planned, WriteKeeper keeper) {
        Method method = BridgeMethodResolver.findBridgedMethod(planned);
        Type returned = returned(method);
        Type[] parameters = method.getGenericParameterTypes();
        if (returned == void.class || returned == Void.class) {
            return new KeptReturn(keeper, (arguments, receipt) -> null, null);
        }
        if (returned == WriteReceipt.class) {
            return new KeptReturn(keeper, (arguments, receipt) -> receipt, WriteReceipt.WRITTEN);
        }
        if (parameters.length == 1 && parameters[0].equals(returned)) {
            return new KeptReturn(keeper, (arguments, receipt) -> arguments[0], null);
        }
        throw new IllegalArgumentException(
                ("whenExhausted = BACKLOG, but it answers %s, which only the database could give while the write waits."
                                + " Instead, answer nothing, the one argument, or a WriteReceipt; at once, by a"
                                + " CompletableFuture or by a Mono")
                        .formatted(method.getGenericReturnType().getTypeName()));
    }

    private static Type returned(Method method) {
        Class<?> type = method.getReturnType();
        boolean later = type == CompletableFuture.class || type == CompletionStage.class || isMono(type);
        return later && method.getGenericReturnType() instanceof ParameterizedType parameterized
                ? parameterized.getActualTypeArguments()[0]
                : method.getGenericReturnType();
    }

    private static boolean isMono(Class<?> type) {
        ReactiveAdapter adapter = RetriedMethod.reactive(type);
        return adapter != null && !adapter.isMultiValue() && !adapter.isNoValue();
    }

    Fallback<@Nullable Object> fallback(@Nullable Object[] arguments) {
        return new Fallback<>(keeper, receipt -> answer.apply(arguments, receipt));
    }
}
