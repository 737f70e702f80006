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
record Event(
        String who, String what, String subject, @Nullable String content, long number, long from, long to) {

    /** A lease was seen held; the number is its token. */
    static final String HELD = "held";

    /** A write was begun; the number is its version, or that of the call. With calls, no content means a deletion. */
    static final String BEGUN = "begun";

    /** A write was acknowledged. */
    static final String ACKNOWLEDGED = "acknowledged";

    /** A call failed; nothing is known of its effect. The number is that of the call, or 0. */
    static final String FAILED = "failed";

    /** A call was not done; the number is that of the call. */
    static final String REFUSED = "refused";

    /** A row was read; the number is its version, 0 if there is none. With a content it is that of the look, or 0. */
    static final String READ = "read";

    /** A whole table was read; the number is that of the look. Rows that it has not read were not there. */
    static final String LOOKED = "looked";

    /** Whether a write was done was unknown for a while, and found out. */
    static final String SETTLED = "settled";

    /** Whether a write was done was not found out by itself. */
    static final String UNSETTLED = "unsettled";

    /** A node answered nothing, or late, in this time. */
    static final String NODE_FAULT = "node-fault";

    /** An operator did this to the cluster, which all clients must get through; the subject says what, in the plural. */
    static final String OPERATED = "operated";

    /** A client was stopped or killed in this time. */
    static final String CLIENT_FAULT = "client-fault";

    /** Kept writes were given up; the number is their number. */
    static final String DIED = "died";

    /** A client that was killed found that its disk had changed; the number is how many writes it reported as lost at least. */
    static final String LOST = "lost";

    /** The disk changed what a client had kept. */
    static final String DAMAGED = "damaged";

    /** From when to when the run went on. */
    static final String RUN = "run";

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
