package io.surewrite.lease;

/** What to do with work whose lease is lost before it is done. */
public enum OnLoss {

    /** Interrupt its thread; the caller gets a {@link LeaseLostException}. */
    INTERRUPT,

    /** Let it finish, and return what it returns. What it writes must then be guarded by the fencing token. */
    LET_FINISH
}
