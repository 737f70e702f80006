package io.surewrite.internal.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Since when the cluster has given one feature no clear answer. */
public final class Outage {

    private final AtomicReference<@Nullable Instant> since = new AtomicReference<>();

    public void begins() {
        if (since.get() == null) {
            since.compareAndSet(null, Instant.now());
        }
    }

    /** How long there was no clear answer; null if there was one before, as nearly always. */
    public @Nullable Duration ends() {
        if (since.get() == null) {
            return null;
        }
        Instant begun = since.getAndSet(null);
        return begun == null ? null : Duration.between(begun, Instant.now());
    }

    public @Nullable Instant since() {
        return since.get();
    }
}
