package io.surewrite.verification.faults;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseException;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Some threads that always want some leases, and note down every moment at which they see one held. */
final class LeaseClient {

    static final Duration TTL = Duration.ofSeconds(3);

    private static final int NAMES = 2;
    private static final int THREADS_A_NAME = 2;
    private static final Duration WAIT = Duration.ofSeconds(2);

    private final Program program;
    private final LeaseLocks locks;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(AmbiguousOutcomes.class)
    static class Application {}

    private LeaseClient(Program program, LeaseLocks locks) {
        this.program = program;
        this.locks = locks;
    }

    /**
     * Runs until its input ends.
     *
     * @param args its name, the connection and the directory of the histories
     * @throws Exception when a thread fails
     */
    public static void main(String[] args) throws Exception {
        Program program = new Program();
        Path directory = Path.of(args[1 + Connection.ARGUMENTS]);
        try (History outcomes = History.open(directory, args[0] + "-outcomes");
                ConfigurableApplicationContext application = Connection.of(args, 1)
                        .start(
                                Application.class,
                                "surewrite.lease.ttl=" + TTL,
                                "surewrite.conditional.attempt-timeout=3s")) {
            application.getBean(AmbiguousOutcomes.class).noteIn(outcomes);
            new LeaseClient(program, application.getBean(LeaseLocks.class)).run(args[0], directory);
        }
    }

    /** Makes the table, which clients that start at the same time must not do. */
    static void createTable(Connection connection) {
        try (ConfigurableApplicationContext application =
                connection.start(Application.class, "surewrite.schema.initialize=always")) {
            application.getBean(LeaseLocks.class);
        }
    }

    private void run(String client, Path directory) throws Exception {
        List<Callable<Void>> works = new ArrayList<>();
        for (int i = 0; i < NAMES * THREADS_A_NAME; i++) {
            String name = "name" + i % NAMES;
            String who = client + "-" + i; // each thread is a holder of its own
            works.add(() -> {
                try (History history = History.open(directory, who)) {
                    while (!program.isOver()) {
                        holdOnce(name, history);
                    }
                }
                return null;
            });
        }
        program.run(works);
    }

    private void holdOnce(String name, History history) throws InterruptedException {
        long from = System.nanoTime();
        try {
            Optional<Lease> acquired = locks.tryAcquire(LeaseRequest.of(name), WAIT);
            if (acquired.isPresent()) {
                try (Lease lease = acquired.get()) {
                    watch(lease, history);
                }
            }
        } catch (LeaseException e) {
            history.add(Event.FAILED, name, 0, from);
        }
    }

    /** Holds it for a while; sometimes long enough that it must be renewed. */
    private static void watch(Lease lease, History history) throws InterruptedException {
        int looks = ThreadLocalRandom.current().nextInt(20) == 0
                ? 400
                : ThreadLocalRandom.current().nextInt(1, 30);
        for (int i = 0; i < looks; i++) {
            long from = System.nanoTime();
            if (!lease.isHeld()) {
                return;
            }
            history.add(Event.HELD, lease.name(), lease.token(), from);
            Thread.sleep(10);
        }
    }
}
