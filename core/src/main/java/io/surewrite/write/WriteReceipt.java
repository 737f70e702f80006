package io.surewrite.write;

/**
 * What became of a write that may be kept for later: for methods whose callers want to know.
 *
 * @param state done or kept
 */
public record WriteReceipt(State state) {

    /** The write is in effect. */
    public static final WriteReceipt WRITTEN = new WriteReceipt(State.WRITTEN);

    /** The write is on disk and will be done when the cluster takes it; until then reads do not see it. */
    public static final WriteReceipt KEPT = new WriteReceipt(State.KEPT);

    /** What can become of a write that did not fail. */
    public enum State {
        /** The cluster acknowledged it. */
        WRITTEN,
        /** It is neither done nor failed, but durable. */
        KEPT
    }

    /**
     * Whether it is done.
     *
     * @return true if the cluster acknowledged it
     */
    public boolean isWritten() {
        return state == State.WRITTEN;
    }
}
