package io.surewrite.internal.session;

import io.micrometer.context.ThreadLocalAccessor;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.WriteHolds;
import io.surewrite.write.WriteScope;
import org.jspecify.annotations.Nullable;

/**
 * Carries the {@link WriteScope} to other threads by Micrometer's context propagation, under the key of {@link ReactiveWriteScope}.
 * There a retried call inside the scope keeps the timestamp and repeats itself: the call around it may not wait for that thread.
 *
 * <p>{@link WriteHolds} are not carried: a task may outlive the lease that its thread held, and it would be refused then.
 */
public final class WriteScopeAccessor implements ThreadLocalAccessor<WriteScope> {

    /** Made by the service loader. */
    public WriteScopeAccessor() {}

    @Override
    public Object key() {
        return WriteScope.class;
    }

    @Override
    public @Nullable WriteScope getValue() {
        return WriteScope.current();
    }

    @Override
    public void setValue(WriteScope scope) {
        WriteScope.enterElsewhere(scope);
    }

    @Override
    public void setValue() {
        WriteScope.restore(null);
    }

    @Override
    public void restore(WriteScope before) {
        WriteScope.restore(before);
    }
}
