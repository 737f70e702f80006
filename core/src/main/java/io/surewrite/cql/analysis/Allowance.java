package io.surewrite.cql.analysis;

/** What a user may accept knowingly, although a retry is not quite without effect. */
public enum Allowance {
    /**
     * A relative time to live, in the text or as the table's default: the data then lives its time from the last
     * attempt that reached the server, which is later than the first by the deadline of the retries at most.
     */
    EXTENDING_TTL
}
