package io.surewrite.write;

/**
 * What a writer must have while it writes, such as a lease. A sure write that begins under one gets its timestamp under it,
 * begins each attempt only while it is held, and is reported done only if it is held after the answer.
 */
@Internal
public interface WriteHold {

    /** {@return its name, for messages} */
    String name();

    /** {@return whether it is held now} */
    boolean isHeld();

    /**
     * Whether a write may go out now, or may be called done.
     *
     * @param timestamp of the write, in microseconds
     * @return false if it is not held any more, or the timestamp lies outside of what is reserved for it
     */
    boolean permits(long timestamp);

    /**
     * Why a write is not permitted.
     *
     * @param timestamp of the write, in microseconds
     * @return what the caller gets, or its cause
     */
    RuntimeException refusal(long timestamp);

    /** Marks the refusals of a hold that is not held any more: the write was not begun. */
    interface Lost {}
}
