package io.surewrite.verification.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;

/** What a client of a run is: an application, a history, and threads that go on until its standard input ends. */
final class Program implements AutoCloseable {

    static final String AT_WORK = "At work";

    private final String[] arguments;
    private final History history;
    private @Nullable ConfigurableApplicationContext application;
    private volatile boolean isOver;

    /** Not started yet. */
    Program(String[] arguments) throws IOException {
        this.arguments = arguments;
        this.history = History.open(directory(), name());
        Thread parent = new Thread(this::awaitParent, "parent");
        parent.setDaemon(true);
        parent.start();
    }

    String name() {
        return arguments[0];
    }

    Path directory() {
        return Path.of(arguments[3]);
    }

    /** {@return an argument of its own} */
    String argument(int number) {
        return arguments[4 + number];
    }

    History history() {
        return history;
    }

    /** Starts the application with more properties. */
    ConfigurableApplicationContext start(String... properties) {
        ConfigurableApplicationContext started = new Connection(arguments[1], arguments[2]).start(name(), properties);
        started.getBean(AmbiguousOutcomes.class).noteIn(history);
        application = started;
        return started;
    }

    boolean isOver() {
        return isOver;
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
            isOver = true;
        }
    }

    @Override
    public void close() throws IOException {
        if (application != null) {
            application.close();
        }
        history.close();
    }
}
