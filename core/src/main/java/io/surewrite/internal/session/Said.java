package io.surewrite.internal.session;

import io.surewrite.write.WriteScope;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Something that is said of all that a thread, or a subscription, sends meanwhile. */
public final class Said<T> {

    @SuppressWarnings("ThreadLocalUsage") // each of these stands in a static field
    private final ThreadLocal<@Nullable T> here = new ThreadLocal<>();

    private final WriteScope.Opened leave = () -> here.set(null);

    @FunctionalInterface
    public interface Call {

        @Nullable
        Object proceed() throws Throwable;
    }

    /** Says it on this thread, until that is closed. */
    public WriteScope.Opened open(T what) {
        @Nullable T outer = here.get();
        here.set(what);
        return outer == null ? leave : () -> here.set(outer);
    }

    public @Nullable Object call(T what, Call call) throws Throwable {
        WriteScope.Opened opened = open(what);
        try {
            return call.proceed();
        } finally {
            opened.close();
        }
    }

    /** The same in a subscription, for {@code contextWrite}. */
    public Function<Context, Context> enter(T what) {
        return context -> context.put(this, what);
    }

    @Nullable
    T here() {
        return here.get();
    }

    @Nullable
    T in(ContextView subscriber) {
        return subscriber.getOrDefault(this, null);
    }
}
