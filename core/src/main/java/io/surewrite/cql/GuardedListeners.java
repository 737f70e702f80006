package io.surewrite.cql;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several listeners as one that cannot harm. What a listener throws reaches neither the caller nor the other listeners.
 * The log gets a line for it, at most one a minute for each class of listeners.
 *
 * <p>Every kind of listener of the library is composed by this class.
 *
 * @param <L> the kind of listener
 */
public final class GuardedListeners<L> {

    private static final Logger LOGGER = LoggerFactory.getLogger(GuardedListeners.class);

    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** By class, because a listener may be in several composites, and hands out an object for each call. */
    private static final ClassValue<Failures> FAILURES = new ClassValue<>() {
        @Override
        protected Failures computeValue(Class<?> type) {
            return new Failures(type);
        }
    };

    private static final GuardedListeners<?> NONE = new GuardedListeners<>();

    /** The class that the log names: of the listener, or of the one that handed it out for a call. */
    private final @Nullable Class<?> owner;

    private final @Nullable L listener;
    private final GuardedListeners<L> rest;

    private GuardedListeners() {
        this.owner = null;
        this.listener = null;
        this.rest = this;
    }

    private GuardedListeners(Class<?> owner, L listener, GuardedListeners<L> rest) {
        this.owner = owner;
        this.listener = listener;
        this.rest = rest;
    }

    /**
     * Composes listeners.
     *
     * @param listeners who is called, in this order
     * @param <L> the kind of listener
     * @return all of them
     */
    public static <L> GuardedListeners<L> of(List<? extends L> listeners) {
        GuardedListeners<L> all = none();
        for (int i = listeners.size() - 1; i >= 0; i--) {
            all = new GuardedListeners<>(listeners.get(i).getClass(), listeners.get(i), all);
        }
        return all;
    }

    @SuppressWarnings("unchecked") // there is nothing in it
    private static <R> GuardedListeners<R> none() {
        return (GuardedListeners<R>) NONE;
    }

    /** {@return whether there is no listener} */
    public boolean isEmpty() {
        return owner == null;
    }

    /**
     * Calls every listener, the first one first.
     *
     * @param call calls one
     */
    public void tell(Consumer<? super L> call) {
        for (GuardedListeners<L> each = this; each.owner != null; each = each.rest) {
            each.tellOne(call);
        }
    }

    /**
     * Calls every listener, the last one first: what the first opened is closed last.
     *
     * @param call calls one
     */
    public void tellBackwards(Consumer<? super L> call) {
        if (owner != null) {
            rest.tellBackwards(call);
            tellOne(call);
        }
    }

    private void tellOne(Consumer<? super L> call) {
        try {
            call.accept(Objects.requireNonNull(listener));
        } catch (Throwable failure) {
            ignore(failure);
        }
    }

    /**
     * Asks every listener for something that is called later.
     *
     * @param question asks one
     * @param nothing what a listener returns that does not want to be called, and is left out
     * @param <R> the kind of what they return
     * @return what they returned, guarded likewise; without those that failed
     */
    public <R> GuardedListeners<R> ask(Function<? super L, ? extends @Nullable R> question, R nothing) {
        if (owner == null) {
            return none();
        }
        R answer = nothing;
        try {
            answer = Objects.requireNonNull(question.apply(Objects.requireNonNull(listener)), "returned null");
        } catch (Throwable failure) {
            ignore(failure);
        }
        GuardedListeners<R> others = rest.ask(question, nothing);
        return answer == nothing ? others : new GuardedListeners<>(owner, answer, others);
    }

    /**
     * Lets every listener open something.
     *
     * @param open what one opens
     * @return closes all of them, the last one first
     */
    public WriteScope.Opened open(Function<? super L, WriteScope.Opened> open) {
        GuardedListeners<WriteScope.Opened> opened = ask(open, WriteScope.Opened.NOTHING);
        return opened.isEmpty() ? WriteScope.Opened.NOTHING : () -> opened.tellBackwards(WriteScope.Opened::close);
    }

    private void ignore(Throwable failure) {
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        try {
            FAILURES.get(Objects.requireNonNull(owner)).report(failure);
        } catch (Throwable logging) {
            // There is no one left to tell, and the caller must not notice.
        }
    }

    /** The failures of one class of listeners. */
    private static final class Failures {

        private final Class<?> owner;
        private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());
        private final AtomicLong unreported = new AtomicLong();

        private Failures(Class<?> owner) {
            this.owner = owner;
        }

        private void report(Throwable failure) {
            unreported.incrementAndGet();
            long now = System.nanoTime();
            long until = quietUntil.get();
            if (now - until >= 0 && quietUntil.compareAndSet(until, now + QUIET_NANOS)) {
                LOGGER.warn(
                        "The listener {} failed {} time(s) since the last line like this. It changed nothing of what"
                                + " was listened to. The newest failure:",
                        owner.getName(),
                        unreported.getAndSet(0),
                        failure);
            }
        }
    }
}
