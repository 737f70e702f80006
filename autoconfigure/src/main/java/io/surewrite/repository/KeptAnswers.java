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
import org.springframework.core.ReactiveAdapterRegistry;

/** What a method answers when its write is kept for later: nothing, its entity, or a receipt. */
final class KeptAnswers {

    private enum Kind {
        NOTHING,
        ARGUMENT,
        RECEIPT
    }

    private final WriteKeeper keeper;
    private final Kind kind;

    private KeptAnswers(WriteKeeper keeper, Kind kind) {
        this.keeper = keeper;
        this.kind = kind;
    }

    /**
     * Looks at a method.
     *
     * @throws IllegalArgumentException if its answer can only come from the database
     */
    static KeptAnswers of(Method planned, WriteKeeper keeper) {
        Method method = BridgeMethodResolver.findBridgedMethod(planned);
        Type answer = answer(method);
        Type[] parameters = method.getGenericParameterTypes();
        if (answer == void.class || answer == Void.class) {
            return new KeptAnswers(keeper, Kind.NOTHING);
        }
        if (answer == WriteReceipt.class) {
            return new KeptAnswers(keeper, Kind.RECEIPT);
        }
        if (parameters.length == 1 && parameters[0].equals(answer)) {
            return new KeptAnswers(keeper, Kind.ARGUMENT);
        }
        throw new IllegalArgumentException(
                ("whenExhausted = BACKLOG, but it answers %s, which only the database could give while the write waits."
                                + " Instead, answer nothing, the one argument, or a WriteReceipt; at once, by a"
                                + " CompletableFuture or by a Mono")
                        .formatted(method.getGenericReturnType().getTypeName()));
    }

    private static Type answer(Method method) {
        Class<?> type = method.getReturnType();
        boolean later = type == CompletableFuture.class || type == CompletionStage.class || isMono(type);
        return later && method.getGenericReturnType() instanceof ParameterizedType parameterized
                ? parameterized.getActualTypeArguments()[0]
                : method.getGenericReturnType();
    }

    private static boolean isMono(Class<?> type) {
        if (!Answers.hasReactor()) {
            return false;
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        return adapter != null && !adapter.isMultiValue() && !adapter.isNoValue();
    }

    Fallback<@Nullable Object> fallback(@Nullable Object[] arguments) {
        return new Fallback<>(keeper, receipt -> switch (kind) {
            case NOTHING -> null;
            case ARGUMENT -> arguments[0];
            case RECEIPT -> receipt;
        });
    }

    /** What is answered for a write that was done at once and answered nothing. */
    @Nullable
    Object whenWritten() {
        return kind == Kind.RECEIPT ? WriteReceipt.WRITTEN : null;
    }
}
