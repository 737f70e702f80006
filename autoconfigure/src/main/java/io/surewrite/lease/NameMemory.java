package io.surewrite.lease;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

/**
 * What this process remembers of a name between its holds. Nothing here is needed for safety: a forgotten epoch costs one
 * refused attempt, a forgotten abandoned attempt blocks the name until its ttl is over.
 */
final class NameMemory {

    /** How many turns in a row this process leaves a gap for others after it last saw one. */
    private static final int COURTEOUS_TURNS = 3;

    private static final int MAX_ABANDONED = 16;

    private long epoch;
    private long ownEpoch = -1;
    private int courteousTurns;
    private long closedUntil;
    private boolean closed;
    private final Deque<UUID> abandoned = new ArrayDeque<>();

    synchronized long epoch() {
        return epoch;
    }

    synchronized void sawEpoch(long seen) {
        epoch = Math.max(epoch, seen);
    }

    synchronized void acquired(LeaseClaim claim) {
        boolean somebodyInBetween = ownEpoch >= 0 && claim.expectedEpoch() != ownEpoch;
        if (somebodyInBetween) {
            courteousTurns = COURTEOUS_TURNS;
        } else if (courteousTurns > 0) {
            courteousTurns--;
        }
        epoch = claim.nextEpoch();
        ownEpoch = claim.nextEpoch();
    }

    synchronized void sawRival() {
        courteousTurns = COURTEOUS_TURNS;
    }

    /** After a hold: leaves the name alone for a while if others want it too. */
    synchronized void left(long now, long courtesy) {
        closed = courteousTurns > 0;
        closedUntil = now + courtesy;
    }

    /** How long this process should still leave the name to others. */
    synchronized long courtesyLeft(long now) {
        return closed ? Math.max(0, closedUntil - now) : 0;
    }

    /** Remembers an attempt that may come into effect though nobody waits for it. */
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
