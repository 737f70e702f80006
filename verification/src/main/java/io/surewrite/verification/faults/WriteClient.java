package io.surewrite.verification.faults;

import io.surewrite.backlog.BacklogException;
import io.surewrite.backlog.DeadLetter;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.verification.faults.WrittenRows.Note;
import io.surewrite.verification.faults.WrittenRows.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Threads that write rows of their own: retried, and read meanwhile, or kept for later where the cluster is away. */
record WriteClient(
        Program program,
        Consumer<State> save,
        Consumer<State> overwrite,
        Consumer<Note> insert,
        @Nullable States read) {

    private static final int WRITERS = 4;
    private static final int READERS = 2;

    @Idempotent
    interface States extends CassandraRepository<State, String>, OverwriteRepository<State> {}

    @Idempotent
    interface Notes extends CassandraRepository<Note, UUID> {}

    @Lazy
    interface KeptStates extends CassandraRepository<State, String>, OverwriteRepository<State> {

        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends State> S save(S state);

        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends State> S overwrite(S state);
    }

    @Lazy
    interface KeptNotes extends CassandraRepository<Note, UUID> {

        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends Note> S save(S note);
    }

    /** Runs until its input ends, and its backlog is empty if it has one. */
    public static void main(String[] args) throws Exception {
        try (Program program = new Program(args)) {
            if (program.argument(0).equals("backlog")) {
                ApplicationContext application = startAndAcceptLoss(program);
                KeptStates states = application.getBean(KeptStates.class);
                KeptNotes notes = application.getBean(KeptNotes.class);
                new WriteClient(program, states::save, states::overwrite, notes::save, null).run();
                awaitReplay(application.getBean(WriteBacklog.class), program.history());
            } else {
                ApplicationContext application = program.start("spring.cassandra.request.timeout=2s");
                States states = application.getBean(States.class);
                Notes notes = application.getBean(Notes.class);
                new WriteClient(program, states::save, states::overwrite, notes::save, states).run();
            }
        }
    }

    private void run() throws Exception {
        List<Callable<Void>> works = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            String row = program.name() + "-" + i;
            works.add(() -> {
                for (long version = 1; !program.isOver(); version++) {
                    write(row, version);
                }
                return null;
            });
        }
        for (int i = 0; read != null && i < READERS; i++) {
            works.add(() -> {
                while (!program.isOver()) {
                    read(program.name() + "-" + ThreadLocalRandom.current().nextInt(WRITERS), read);
                }
                return null;
            });
        }
        program.run(works);
    }

    /** A new version of the row, in one way or the other, and in turn a new row that says so. */
    private void write(String row, long version) {
        Consumer<State> way = ThreadLocalRandom.current().nextBoolean() ? save : overwrite;
        attempt(row, version, () -> way.accept(State.of(row, version)));
        String subject = row + "#" + version;
        attempt(subject, 1, () -> insert.accept(new Note(null, subject)));
    }

    private void attempt(String subject, long version, Runnable write) {
        long from = System.nanoTime();
        program.history().add(Event.BEGUN, subject, version, from);
        try {
            write.run();
            program.history().add(Event.ACKNOWLEDGED, subject, version, from);
        } catch (DataAccessException e) {
            program.history().add(Event.FAILED, subject, version, from);
        }
    }

    private void read(String row, States states) {
        long from = System.nanoTime();
        try {
            long version = states.findById(row).map(State::version).orElse(0L);
            program.history().add(Event.READ, row, version, from);
        } catch (DataAccessException e) {
            program.history().add(Event.FAILED, row, 0, from);
        }
    }

    // ---- what is kept ----

    static Path backlogs(Path histories) {
        return histories.resolveSibling("backlog-entries");
    }

    /** Where a client, or the one that comes back for it, keeps its writes. */
    static Path backlog(Path histories, String name) {
        return backlogs(histories).resolve(client(name));
    }

    /** The client of which this is a life, or a row that one wrote. */
    static String client(String name) {
        return name.substring(0, name.indexOf('.'));
    }

    /** Goes on after a damage, as an operator would who was told what is missing. */
    private static ApplicationContext startAndAcceptLoss(Program program) {
        System.setProperty("datastax-java-driver.advanced.reconnect-on-init", "true");
        System.setProperty("datastax-java-driver.advanced.reconnection-policy.max-delay", "2 seconds");
        long from = System.nanoTime();
        try {
            return start(program, "refuse");
        } catch (RuntimeException failed) {
            if (!(NestedExceptionUtils.getMostSpecificCause(failed) instanceof BacklogException damage)
                    || damage.reason() != BacklogException.Reason.DAMAGED) {
                throw failed;
            }
            System.out.println(damage.getMessage());
        }
        ApplicationContext application = start(program, "accept-loss");
        WriteBacklog damaged = application.getBean(WriteBacklog.class);
        program.history().add(Event.LOST, "", damaged.size().lost(), from);
        damaged.discardDeadLetters(damaged.deadLetters(0, Integer.MAX_VALUE).stream()
                .filter(letter -> letter.reason().isLoss())
                .map(DeadLetter::id)
                .toList());
        return application;
    }

    private static ApplicationContext start(Program program, String recover) {
        return program.start(
                "spring.cassandra.request.timeout=2s",
                "surewrite.retry.attempts=2",
                "surewrite.retry.initial-backoff=10ms",
                "surewrite.backlog.enabled=true",
                "surewrite.backlog.directory=" + backlog(program.directory(), program.name()),
                "surewrite.backlog.recover=" + recover);
    }

    private static void awaitReplay(WriteBacklog waiting, History history) throws InterruptedException {
        long from = System.nanoTime();
        while (waiting.size().entries() > 0) {
            Thread.sleep(100);
        }
        history.add(Event.DIED, "", waiting.size().deadLetters(), from);
    }
}
