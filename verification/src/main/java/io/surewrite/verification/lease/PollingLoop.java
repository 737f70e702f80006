package io.surewrite.verification.lease;

import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How Spring Integration's JDBC lock registry waits for a lock, with its default pause: one thread of a process at a time
 * tries, and sleeps 100 milliseconds if another process has it. It runs on JDBC; here the same loop takes the lock that is
 * written by hand.
 */
final class PollingLoop {

    private static final long PAUSE_MILLIS = 100;

    private final Lock ofThisProcess = new ReentrantLock();
    private final HandWrittenLock cluster;
    private final String name;

    PollingLoop(HandWrittenLock cluster, String name) {
        this.cluster = cluster;
        this.name = name;
    }

    void lockAndUnlock() throws InterruptedException {
        ofThisProcess.lock();
        try {
            UUID owner = UUID.randomUUID();
            while (!cluster.lock(name, owner)) {
                Thread.sleep(PAUSE_MILLIS);
            }
            cluster.unlock(name, owner);
        } finally {
            ofThisProcess.unlock();
        }
    }
}
