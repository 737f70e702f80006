package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.write.WriteScope;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Reads that are to see every sure write: those of a repository that has some. While it is entered, on a thread or in a
 * reactive subscription, the templates of this package send reads at the session's {@link SureLevel}. Writes are left as
 * they are.
 */
public final class SureReads {

    private static final ThreadLocal<@Nullable Boolean> ENTERED = new ThreadLocal<>();

    private static final WriteScope.Opened LEAVE = () -> ENTERED.set(null);

    private SureReads() {}

    /**
     * Enters on this thread.
     *
     * @return to be closed by the same thread
     */
    public static WriteScope.Opened open() {
        Boolean outer = ENTERED.get();
        ENTERED.set(true);
        return outer == null ? LEAVE : WriteScope.Opened.NOTHING;
    }

    /** Enters in a subscription, for {@code contextWrite}. */
    public static Function<Context, Context> enter() {
        return context -> context.put(SureReads.class, true);
    }

    static boolean isEntered() {
        return ENTERED.get() != null;
    }

    static boolean isEntered(ContextView context) {
        return isEntered() || context.hasKey(SureReads.class);
    }

    /** A statement as its scope wants it; without a scope, a sure read at the level of its session. */
    static Statement<?> applyTo(
            Statement<?> statement, @Nullable WriteScope scope, boolean entered, @Nullable DriverContext session) {
        if (session == null) {
            return statement; // to a mock
        }
        if (scope != null) {
            return scope.applyTo(statement, session);
        }
        return entered && CqlText.isRead(statement) ? SureLevel.of(session).applyTo(statement) : statement;
    }
}
