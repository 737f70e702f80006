package io.surewrite.repository;

import io.surewrite.cql.WriteKeeper;
import io.surewrite.cql.WriteReceipt;
import io.surewrite.retry.engine.Fallback;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.ReactiveAdapter;

/** What a method returns when its write is kept for later: nothing, its entity, or a receipt. */
final class KeptReturn {

    private enum Kind {
        NOTHING,
        ARGUMENT,
        RECEIPT
    }

    private final WriteKeeper keeper;
    private final Kind kind;

    private KeptReturn(WriteKeeper keeper, Kind kind) {
        this.keeper = keeper;
        this.kind = kind;
    }

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
            return new KeptReturn(keeper, Kind.NOTHING);
        }
        if (returned == WriteReceipt.class) {
            return new KeptReturn(keeper, Kind.RECEIPT);
        }
        if (parameters.length == 1 && parameters[0].equals(returned)) {
            return new KeptReturn(keeper, Kind.ARGUMENT);
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
        return new Fallback<>(keeper, receipt -> switch (kind) {
            case NOTHING -> null;
            case ARGUMENT -> arguments[0];
            case RECEIPT -> receipt;
        });
    }

    /** What is returned for a write that was done at once and returned nothing. */
    @Nullable
    Object whenWritten() {
        return kind == Kind.RECEIPT ? WriteReceipt.WRITTEN : null;
    }
}
