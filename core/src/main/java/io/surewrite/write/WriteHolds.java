package io.surewrite.write;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that a write is made under: what its thread, or its subscription ({@link ReactiveWriteScope}), held when it began.
 * Most are made under nothing, which costs one look at a thread-local.
 */
@Internal
public final class WriteHolds {

    public static final WriteHolds NONE = new WriteHolds(List.of());

    /** Each thread changes its own list alone. */
    private static final ThreadLocal<@Nullable List<Bound>> CURRENT = new ThreadLocal<>();

    private final List<WriteHold> all;

    private WriteHolds(List<WriteHold> all) {
        this.all = all;
    }

    public static WriteHolds current() {
        List<Bound> mine = CURRENT.get();
        if (mine == null) {
            return NONE;
        }
        List<WriteHold> holds = new ArrayList<>(mine.size());
        for (Bound bound : mine) {
            WriteHold hold = bound.hold.get();
            if (hold != null && !bound.ended) {
                holds.add(hold);
            }
        }
        return holds.isEmpty() ? NONE : new WriteHolds(holds);
    }

    /** Has this thread work under something. A thread that forgets it when it is lost works without it again. */
    public static Bound bind(WriteHold hold) {
        Bound bound = new Bound(hold);
        List<Bound> mine = CURRENT.get();
        if (mine == null) {
            mine = new ArrayList<>(2);
            CURRENT.set(mine);
        }
        mine.add(bound);
        return bound;
    }

    /** This thread asks for something anew, and so knows that it has lost it. */
    public static void forgetLost(String name) {
        removeIf(bound -> {
            WriteHold hold = bound.hold.get();
            return bound.ended || hold == null || (hold.name().equals(name) && !hold.isHeld());
        });
    }

    private static void removeIf(Predicate<Bound> which) {
        List<Bound> mine = CURRENT.get();
        if (mine != null && mine.removeIf(which) && mine.isEmpty()) {
            CURRENT.remove();
        }
    }

    public static <T extends @Nullable Object> T call(WriteHold hold, Supplier<T> work) {
        Bound bound = bind(hold);
        try {
            return work.get();
        } finally {
            bound.end();
        }
    }

    /** That a thread works under something. */
    public static final class Bound {

        /** A lost one that its owner has dropped is not held against the thread, which may be a pool's. */
        private final WeakReference<WriteHold> hold;

        private volatile boolean ended;

        private Bound(WriteHold hold) {
            this.hold = new WeakReference<>(hold);
        }

        /** May be called more than once, and on any thread. */
        public void end() {
            ended = true;
            removeIf(bound -> bound.ended);
        }
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    public WriteHolds and(WriteHold hold) {
        List<WriteHold> more = new ArrayList<>(all);
        more.add(hold);
        return new WriteHolds(List.copyOf(more));
    }

    public boolean contains(WriteHold hold) {
        return all.contains(hold);
    }

    /** Does something on another thread under these, as a later attempt. */
    public void run(Runnable work) {
        List<Bound> bounds = all.stream().map(WriteHolds::bind).toList();
        try {
            work.run();
        } finally {
            bounds.forEach(Bound::end);
        }
    }

    /** Why a write must not go out now, or must not be called done; null if it may. */
    public @Nullable RuntimeException refusal(long timestamp) {
        for (int i = 0; i < all.size(); i++) { // no iterator: each call asks twice
            if (!all.get(i).permits(timestamp)) {
                return all.get(i).refusal(timestamp);
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return String.join(", ", all.stream().map(WriteHold::name).toList());
    }

    /**
     * What a writer must have while it writes, such as a lease. A sure write that begins under one gets its timestamp under it,
     * begins each attempt only while it is held, and is reported done only if it is held after the answer.
     */
    public interface WriteHold {

        String name();

        boolean isHeld();

        /** False if it is not held any more, or the timestamp lies outside of what is reserved for it. */
        boolean permits(long timestamp);

        RuntimeException refusal(long timestamp);

        /** Marks the refusals of a hold that is not held any more: the write was not begun. */
        interface Lost {}
    }
}
