package io.surewrite.verification.faults;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseException;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

/** Some threads that always want some leases, and note down every moment at which they see one held. */
final class LeaseClient {

    static final Duration TTL = Duration.ofSeconds(3);

    private static final int NAMES = 2;
    private static final int THREADS_A_NAME = 2;
    private static final Duration WAIT = Duration.ofSeconds(2);

    private final Program program;
    private final LeaseLocks locks;

    private LeaseClient(Program program, LeaseLocks locks) {
        this.program = program;
        this.locks = locks;
    }

    /** Runs until its input ends. */
    public static void main(String[] args) throws Exception {
        try (Program program = new Program(args)) {
            LeaseLocks locks = program.start("surewrite.lease.ttl=" + TTL, "surewrite.conditional.attempt-timeout=3s")
                    .getBean(LeaseLocks.class);
            new LeaseClient(program, locks).run();
        }
    }

    private void run() throws Exception {
        List<Callable<Void>> works = new ArrayList<>();
        for (int i = 0; i < NAMES * THREADS_A_NAME; i++) {
            String name = "name" + i % NAMES;
            String who = program.name() + "-" + i; // each thread is a holder of its own
            works.add(() -> {
                try (History history = History.open(program.directory(), who)) {
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
