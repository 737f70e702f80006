package io.surewrite.verification.faults;

import org.jspecify.annotations.Nullable;

/**
 * Something that somebody saw or did. It happened at some instant between two readings of the machine's monotonic clock,
 * which all processes of a run share.
 *
 * @param who the process
 * @param what the kind, a constant of this class
 * @param subject the lease, row or node
 * @param content all that a row has; null where there is no row, or where it is of no interest
 * @param number the fencing token or version, or that of the call
 * @param from before it
 * @param to after it
 */
public record Event(
        String who, String what, String subject, @Nullable String content, long number, long from, long to) {

    /** A lease was seen held; the number is its token. */
    public static final String HELD = "held";

    /** A write was begun; the number is its version, or that of the call. With calls, no content means a deletion. */
    public static final String BEGUN = "begun";

    /** A write was acknowledged. */
    public static final String ACKNOWLEDGED = "acknowledged";

    /** A call failed; nothing is known of its effect. The number is that of the call, or 0. */
    public static final String FAILED = "failed";

    /** A call was not done; the number is that of the call. */
    public static final String REFUSED = "refused";

    /** A row was read; the number is its version, 0 if there is none. With a content it is that of the look, or 0. */
    public static final String READ = "read";

    /** A whole table was read; the number is that of the look. Rows that it has not read were not there. */
    public static final String LOOKED = "looked";

    /** Whether a conditional write was done was unknown for a while, and found out; the number is that of its attempts. */
    public static final String SETTLED = "settled";

    /** Whether a conditional write was done was not found out by itself; the number is that of its attempts. */
    public static final String UNSETTLED = "unsettled";

    /** A node answered nothing, or late, in this time. */
    public static final String NODE_FAULT = "node-fault";

    /** An operator did this to the cluster, which all clients must get through; the subject says what, in the plural. */
    public static final String OPERATED = "operated";

    /** A client was stopped or killed in this time. */
    public static final String CLIENT_FAULT = "client-fault";

    /** Kept writes were given up; the number is their number. */
    public static final String DIED = "died";

    /** A client that was killed found that its disk had changed; the number is how many writes it reported as lost at least. */
    public static final String LOST = "lost";

    /** The disk changed what a client had kept. */
    public static final String DAMAGED = "damaged";

    /** From when to when the run went on. */
    public static final String RUN = "run";

    Event(String who, String what, String subject, long number, long from, long to) {
        this(who, what, subject, null, number, from, to);
    }

    boolean is(String kind) {
        return what.equals(kind);
    }

    /** Whether it was over for certain before the other began. */
    boolean isBefore(Event other) {
        return to < other.from;
    }
}
