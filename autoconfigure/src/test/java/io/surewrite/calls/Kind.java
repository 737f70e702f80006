package io.surewrite.calls;

import java.util.List;

/** What an application calls. */
enum Kind {
    // Repositories
    SAVE(1, 1),
    SAVE_ALL(2, 3),
    REACTIVE_SAVE(1, 1),
    REACTIVE_SAVE_ALL(2, 3),
    STREAM(2, 3),
    // Methods of beans
    BEAN(2, 3),
    BEAN_LATER(2, 3),
    BEAN_REACTIVE(2, 3),
    ELSEWHERE(2, 3),
    BATCH(2, 3),
    NESTED(3, 3),
    BY_HAND(2, 3),
    KEPT(1, 1),
    KEPT_AT_ONCE(2, 3),
    // Callers who give up
    CANCELLED_FUTURE(2, 3),
    CANCELLED_KEPT(1, 1),
    DISPOSED(2, 3),
    INTERRUPTED(2, 3),
    // Under a lease the first note is appended to those of its board
    LEASED(1, 2),
    LEASED_LATER(1, 1),
    LEASED_REACTIVE(1, 1),
    LEASED_DISPOSED(1, 1);

    /** Several statements, one after the other. */
    static final List<Kind> SEVERAL = List.of(SAVE_ALL, BEAN, BEAN_REACTIVE, NESTED, BY_HAND);

    private final int fewest;
    private final int most;

    Kind(int fewest, int most) {
        this.fewest = fewest;
        this.most = most;
    }

    int fewest() {
        return fewest;
    }

    int most() {
        return most;
    }

    boolean isLeased() {
        return compareTo(LEASED) >= 0;
    }

    /** Whether each statement is a write of its own, decided when it comes. */
    boolean isEachByItself() {
        return this == STREAM;
    }

    /** Whether all its statements may be under way at the same time. */
    boolean isParallel() {
        return this == CANCELLED_FUTURE;
    }
}
