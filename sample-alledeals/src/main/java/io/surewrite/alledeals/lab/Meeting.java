package io.surewrite.alledeals.lab;

import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Where the two sides of an experiment wait for each other. Whoever is done, or has failed, is waited for no more. */
final class Meeting {

    private static final int SIDES = 2;
    private static final long PATIENCE_SECONDS = 60;

    private final Phaser phaser = new Phaser(SIDES);
    private int done;

    /** Waits for the other side. */
    void await() throws InterruptedException {
        try {
            phaser.awaitAdvanceInterruptibly(phaser.arrive(), PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("The other side does not come", e);
        }
    }

    /** Waits for the other side, and has something done once for both, before either goes on. */
    void await(int time, Runnable once) throws InterruptedException {
        await();
        synchronized (this) {
            if (done < time) {
                once.run();
                done = time;
            }
        }
    }

    void leave() {
        phaser.arriveAndDeregister();
    }
}
