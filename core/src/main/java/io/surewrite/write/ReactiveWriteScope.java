package io.surewrite.write;

import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.write.WriteHolds.WriteHold;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The {@link WriteScope} of a reactive subscription, carried by its context. */
public final class ReactiveWriteScope {

    private ReactiveWriteScope() {}

    /** {@return the scope of a subscription, or else of the thread that subscribes; null if there is none} */
    public static @Nullable WriteScope current(ContextView context) {
        return context.hasKey(WriteScope.class) ? context.get(WriteScope.class) : WriteScope.current();
    }

    /** Like {@link #current}, for a statement that is sent now; that it has no scope may be worth noting. */
    public static @Nullable WriteScope currentFor(Statement<?> statement, ContextView context) {
        return context.hasKey(WriteScope.class) ? context.get(WriteScope.class) : WriteScope.currentFor(statement);
    }

    /** {@return what the writes of a subscription are made under, or else those of the thread that subscribes} */
    public static WriteHolds holds(ContextView context) {
        return context.hasKey(WriteHolds.class) ? context.get(WriteHolds.class) : WriteHolds.current();
    }

    /** Has writes made under something, for {@code contextWrite}. */
    public static Function<Context, Context> enter(WriteHold hold) {
        return context -> context.put(WriteHolds.class, holds(context).and(hold));
    }

    /**
     * Hands the scope and the holds of a subscription, or of the thread that subscribes, on to subscriptions that other
     * threads make for it, for {@code contextWrite}.
     */
    public static Function<Context, Context> handOn(ContextView from) {
        WriteScope scope = current(from);
        WriteHolds holds = holds(from);
        return context -> {
            Context held = context.put(WriteHolds.class, holds);
            return scope == null ? held : held.put(WriteScope.class, scope);
        };
    }

    /** Enters a scope, for {@code contextWrite}; a scope that is already there keeps its timestamp. */
    public static Function<Context, Context> enter(WriteScope scope) {
        return context -> context.put(WriteScope.class, scope.within(current(context)));
    }
}
