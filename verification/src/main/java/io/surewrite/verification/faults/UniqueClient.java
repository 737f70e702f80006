package io.surewrite.verification.faults;

import io.surewrite.verification.faults.UniqueRows.Wanting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.dao.DataAccessException;

/** Threads that insert rows with values, and read, save, overwrite and delete those of all clients, some of them most of the time. */
final class UniqueClient {

    private static final int THREADS = 10;
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    /** In each table; so that some values are free. */
    private static final int MOST_ROWS = 35;

    /** In each table; all clients agree on them, mostly. */
    private static final int HOT_ROWS = 4;

    private final Program program;
    private final List<UniqueRows<?>> tables;
    private final int pauseMillis;
    private final boolean isUndisputed;

    private UniqueClient(Program program, List<UniqueRows<?>> tables, boolean isUndisputed) {
        this.program = program;
        this.tables = tables;
        this.pauseMillis = Integer.parseInt(program.argument(0));
        this.isUndisputed = isUndisputed;
    }

    /** Runs until its input ends. */
    public static void main(String[] args) throws Exception {
        try (Program program = new Program(args)) {
            boolean isUndisputed = Boolean.parseBoolean(program.argument(1));
            ApplicationContext application = isUndisputed
                    ? program.start()
                    : program.start(
                            "surewrite.unique.lease=3s",
                            "surewrite.conditional.attempt-timeout=3s",
                            "surewrite.unique.timeout=15s");
            new UniqueClient(program, UniqueRows.of(application, program.history()), isUndisputed).run();
        }
    }

    private void run() throws Exception {
        List<Callable<Void>> works = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            works.add(new Work<>(tables.get(i % tables.size())));
        }
        program.run(works);
    }

    /** One thread. */
    private final class Work<E extends Wanting> implements Callable<Void> {

        private final UniqueRows<E> rows;
        private @Nullable UUID own;

        private Work(UniqueRows<E> rows) {
            this.rows = rows;
        }

        @Override
        public @Nullable Void call() throws InterruptedException {
            while (!program.isOver()) {
                long began = System.nanoTime();
                try {
                    if (isUndisputed) {
                        undisputedStep();
                    } else {
                        step();
                    }
                } catch (DataAccessException unread) {
                    program.history().add(Event.FAILED, "", 0, began);
                }
                rest(Duration.ofNanos(System.nanoTime() - began));
            }
            return null;
        }

        /** Twice as long as the call took, if at all: on a machine that cannot follow, nothing but time-outs would be seen. */
        private void rest(Duration took) throws InterruptedException {
            if (pauseMillis > 0) {
                Thread.sleep(Math.max(pauseMillis, Math.min(2 * took.toMillis(), LONGEST_REST.toMillis())));
            }
        }

        private void step() {
            List<E> seen = rows.seen();
            if (seen.isEmpty() || random(20) == 0) {
                seen = rows.look();
            }
            if (seen.isEmpty() || (seen.size() < MOST_ROWS && random(3) == 0)) {
                rows.insert(otherValue(seen));
            } else {
                int hot = Math.min(HOT_ROWS, seen.size());
                change(seen.get(random(random(3) == 0 ? seen.size() : hot)), seen);
            }
        }

        /** A row of its own, and values that nobody else wants. */
        private void undisputedStep() {
            UUID id = own;
            if (id == null) {
                own = rows.insertNew();
                return;
            }
            switch (random(5)) {
                case 0 -> rows.read(id);
                case 1 -> rows.save(id, "value" + id);
                case 2 -> rows.save(id, "value" + UUID.randomUUID());
                case 3 -> rows.overwrite(id, "value" + UUID.randomUUID());
                default -> {
                    rows.delete(id);
                    own = null;
                }
            }
        }

        /** A row that was there a moment ago. Who saves it when it is deleted makes it anew. */
        private void change(E before, List<E> seen) {
            UUID id = before.id();
            E now = rows.read(id);
            String value = value(now == null ? before : now);
            switch (random(10)) {
                case 0, 1, 2 -> rows.save(id, value);
                case 3, 4 -> rows.save(id, otherValue(seen));
                case 5 -> rows.overwrite(id, random(2) == 0 ? value : otherValue(seen));
                case 6, 7 -> rows.delete(id);
                default -> rows.read(id);
            }
        }

        /** One that nobody had a moment ago, or any. */
        private String otherValue(List<E> seen) {
            String value = rows.value(random(UniqueRows.VALUES));
            for (int i = random(10); i > 0 && isThere(value, seen); i--) {
                value = rows.value(random(UniqueRows.VALUES));
            }
            return value;
        }

        private boolean isThere(String value, List<E> seen) {
            return seen.stream().anyMatch(row -> value(row).equals(value));
        }
    }

    private static String value(Wanting row) {
        return UniqueChecker.value(row.content());
    }

    private static int random(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }
}
