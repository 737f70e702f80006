package io.surewrite.verification.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** What the clients of a run have in common: threads that go on until their standard input ends. */
final class Program {

    static final String AT_WORK = "At work";

    private final AtomicBoolean over = new AtomicBoolean();

    Program() {
        Thread parent = new Thread(this::awaitParent, "parent");
        parent.setDaemon(true);
        parent.start();
    }

    boolean isOver() {
        return over.get();
    }

    /** Runs all of them, each in a thread of its own, and throws what one of them throws. Says so before. */
    void run(List<Callable<Void>> works) throws Exception {
        System.out.println(AT_WORK);
        ExecutorService threads = Executors.newFixedThreadPool(works.size());
        List<Future<Void>> results = new ArrayList<>();
        works.forEach(work -> results.add(threads.submit(work)));
        for (Future<Void> result : results) {
            result.get();
        }
        threads.shutdown();
    }

    private void awaitParent() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said; only the end counts.
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            over.set(true);
        }
    }
}
