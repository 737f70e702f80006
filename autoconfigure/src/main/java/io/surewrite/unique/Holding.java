package io.surewrite.unique;

import org.jspecify.annotations.Nullable;

/** A value that a call wants, and the claim that it has on it. */
final class Holding {

    private final Target target;
    private @Nullable Claim claim;
    private boolean created;

    Holding(Target target) {
        this.target = target;
    }

    Target target() {
        return target;
    }

    @Nullable
    Claim claim() {
        return claim;
    }

    void held(Claim held, boolean createdByThisCall) {
        claim = held;
        created = createdByThisCall;
    }

    boolean isCreated() {
        return created;
    }
}
