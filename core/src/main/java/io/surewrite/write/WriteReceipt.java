package io.surewrite.write;

/**
 * What became of a write that may be kept for later: for methods whose callers want to know.
 *
 * @param written whether the cluster acknowledged it; otherwise it is neither done nor failed, but durable
 */
public record WriteReceipt(boolean written) {

    /** The write is in effect. */
    public static final WriteReceipt WRITTEN = new WriteReceipt(true);

    /** The write is on disk and will be done when the cluster takes it; until then reads do not see it. */
    public static final WriteReceipt KEPT = new WriteReceipt(false);

    @Override
    public String toString() {
        return written ? "WRITTEN" : "KEPT";
    }
}
