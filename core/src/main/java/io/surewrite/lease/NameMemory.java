package io.surewrite.lease;

import io.surewrite.lease.LeaseStore.LeaseAnswer;
import io.surewrite.lease.LeaseStore.LeaseRow;
import io.surewrite.lease.LeaseStore.LeaseWrite;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

/**
 * What this process remembers of a name between its holds. It may be forgotten as a whole: a forgotten epoch costs one
 * refused attempt, a forgotten abandoned attempt blocks the name until its ttl is over.
 */
final class NameMemory {

    /** How many turns in a row this process leaves a gap for others after it last saw one. */
    private static final int COURTEOUS_TURNS = 3;

    /** A process that saw no other leaves a gap too, once it has held the name so many times as long as the gap. */
    private static final int UNASKED_SHARE = 20;

    private static final int MAX_ABANDONED = 40;

    private long epoch;
    private long ownEpoch = -1;

    /** No timestamp that is known to be drawn under a hold lies above it. */
    private long floor;

    private int courteousTurns;
    private long leftAt;
    private long heldInARow;
    private long closedUntil;
    private boolean closed;
    private final Deque<UUID> abandoned = new ArrayDeque<>();

    synchronized long epoch() {
        return epoch;
    }

    /** A read may be out of date. */
    synchronized void saw(LeaseRow row) {
        epoch = Math.max(epoch, row.epoch());
        if (row.leaseId() == null) {
            floor = Math.max(floor, row.writeTs());
        }
    }

    synchronized void refused(LeaseAnswer.Refused row) {
        epoch = row.epoch();
        Long writeTs = row.writeTs();
        if (writeTs != null && row.leaseId() == null) {
            // What a holder has reserved may lie far ahead, and is no floor until it has expired.
            floor = Math.max(floor, writeTs);
        }
    }

    synchronized long floor() {
        return floor;
    }

    /** Without a row, or after a hold of this process, no other can have drawn a timestamp without another epoch. */
    synchronized boolean epochProvesFloor() {
        return epoch == 0 || epoch == ownEpoch;
    }

    synchronized void acquired(LeaseWrite claim) {
        boolean anotherInBetween = ownEpoch >= 0 && claim.expectedEpoch() != ownEpoch;
        if (anotherInBetween) {
            courteousTurns = COURTEOUS_TURNS;
        } else if (courteousTurns > 0) {
            courteousTurns--;
        }
        epoch = claim.nextEpoch();
        ownEpoch = claim.nextEpoch();
        floor = Math.max(floor, claim.floor());
    }

    synchronized void sawRival() {
        courteousTurns = COURTEOUS_TURNS;
    }

    /**
     * After a hold: leaves the name alone for a while if others want it too. They may be there unseen, as who waits only looks.
     */
    synchronized void left(long begunAt, long now, long courtesy) {
        boolean inARow = begunAt - leftAt < courtesy;
        heldInARow = (inARow ? heldInARow : 0) + (now - begunAt);
        closed = courteousTurns > 0 || heldInARow >= UNASKED_SHARE * courtesy;
        if (closed) {
            heldInARow = 0;
        }
        closedUntil = now + courtesy;
        leftAt = now;
    }

    synchronized long courtesyLeft(long now) {
        return closed ? Math.max(0, closedUntil - now) : 0;
    }

    /** It may come into effect though no caller waits for it. */
    synchronized void abandon(UUID leaseId) {
        if (abandoned.size() == MAX_ABANDONED) {
            abandoned.removeFirst();
        }
        abandoned.addLast(leaseId);
    }

    synchronized boolean isAbandoned(UUID leaseId) {
        return abandoned.contains(leaseId);
    }
}
