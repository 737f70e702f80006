package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.CassandraNode;
import io.surewrite.verification.Arguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Writes while the whole cluster goes away again and again, and every client is killed each time. In every second round the
 * disk changes a byte of what a killed client has kept. What returned is readable at QUORUM afterwards, or the client it was
 * kept by said that it is lost. Nothing older lies over something newer, and nothing is there that was not written. Run it
 * with {@code mvn -pl verification -am -DskipTests -Pfaults-backlog package}.
 */
public final class BacklogFaults {

    private static final int CLIENTS = 3;
    private static final Duration AWAY = Duration.ofSeconds(30);

    /** What a store writes, and how often the disk changes it. */
    private static final List<String> FILES = List.of("backlog.db", "backlog.db", "backlog.db-journal");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private BacklogFaults() {}

    /**
     * Runs until enough writes have returned and throws if anything was wrong.
     *
     * @param args how many writes, how often the cluster goes away, and the seed of what the disk changes, or {@code new}
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, "20000", "4", "new");
        int enough = arguments.number(0);
        int rounds = arguments.number(1);
        long seed = arguments.text(2).equals("new") ? System.nanoTime() : Long.parseLong(arguments.text(2));
        System.out.println("Seed " + seed);
        Random random = new Random(seed);
        System.setProperty("datastax-java-driver.advanced.reconnection-policy.max-delay", "2 seconds");
        try (Run run = new Run("backlog");
                ConfigurableApplicationContext application = run.connection().start(Application.class);
                History history = History.open(run.directory(), "nemesis")) {
            forgetOldBacklogs(run.directory().resolveSibling("backlog-entries"));
            CqlSession session = application.getBean(CqlSession.class);
            WrittenRows.create(session);
            for (int i = 0; i < CLIENTS; i++) {
                run.startClient(BacklogClient.class);
            }
            for (int round = 1; round <= rounds; round++) {
                run.awaitClients();
                awaitWrites(run, enough * round / (rounds + 1));
                takeTheClusterAway(run, history, round % 2 == 0 ? random : null);
            }
            run.awaitClients();
            awaitWrites(run, enough);
            run.finishClients();
            WrittenRows.readAtTheEnd(session, history);
            judge(run);
        }
    }

    private static void awaitWrites(Run run, long enough) throws IOException, InterruptedException {
        while (linesSoFar(run.directory()) < enough) {
            Thread.sleep(1_000);
        }
    }

    /** How many writes have returned, without a look at lines that are only half there. */
    private static long linesSoFar(Path directory) throws IOException {
        long count = 0;
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".jsonl")).toList()) {
                try (Stream<String> lines = Files.lines(file)) {
                    count += lines.filter(line -> line.contains(Event.ACKNOWLEDGED))
                            .count();
                }
            }
        }
        return count;
    }

    private static void takeTheClusterAway(Run run, History history, @Nullable Random damaging)
            throws IOException, InterruptedException {
        long from = System.nanoTime();
        List<CassandraNode> nodes = run.cluster().nodes();
        nodes.forEach(CassandraNode::kill);
        for (Client client : run.clients()) {
            Thread.sleep(AWAY.toMillis() / (CLIENTS + 1));
            long killed = System.nanoTime();
            client.kill();
            if (damaging != null) {
                String damage = damage(BacklogClient.backlog(run.directory(), client.toString()), damaging);
                System.out.println(client + ": " + damage);
                history.add(Event.DAMAGED, client.toString(), 1, killed);
            }
            client.restart();
            history.add(Event.CLIENT_FAULT, client.toString(), 0, killed);
        }
        Thread.sleep(AWAY.toMillis() / (CLIENTS + 1));
        nodes.forEach(CassandraNode::restart);
        history.add(Event.NODE_FAULT, "all", 0, from);
    }

    /** Flips a bit of a byte that is not zero, so that it lies in what was written. */
    private static String damage(Path backlog, Random random) throws IOException {
        String name = FILES.get(random.nextInt(FILES.size()));
        Path file = backlog.resolve(name);
        byte[] bytes = Files.readAllBytes(file);
        int at;
        do {
            at = random.nextInt(bytes.length);
        } while (bytes[at] == 0);
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, bytes);
        return "a bit of byte %d of %d in %s".formatted(at, bytes.length, name);
    }

    private static void judge(Run run) throws IOException {
        List<Event> events = run.events();
        long died = WrittenRows.sum(events, Event.DIED);
        System.out.printf(
                "%d writes returned, %d of them kept by clients that lived to report it, %d calls failed, %d rows read, %d clients killed, %d files damaged, %d starts refused, %d writes reported as lost at least, %d dead letters%n",
                WrittenRows.count(events, Event.ACKNOWLEDGED),
                WrittenRows.sum(events, Event.KEPT),
                WrittenRows.count(events, Event.FAILED),
                WrittenRows.count(events, Event.READ),
                WrittenRows.count(events, Event.CLIENT_FAULT),
                WrittenRows.count(events, Event.DAMAGED),
                WrittenRows.count(events, Event.LOST),
                WrittenRows.sum(events, Event.LOST),
                died);
        List<Object> violations = new ArrayList<>(silentLosses(events));
        if (died > 0) {
            violations.add(died + " dead letters");
        }
        run.judge(violations);
    }

    /** What is wrong, but for losses of a client that reported some: it knows how many there are at least. */
    static List<Violation> silentLosses(List<Event> events) {
        Set<String> reported = events.stream()
                .filter(event -> event.is(Event.LOST) && event.number() > 0)
                .map(event -> BacklogClient.client(event.who()))
                .collect(Collectors.toSet());
        return WrittenRows.violations(events).stream()
                .filter(violation ->
                        !violation.isLoss() || !reported.contains(BacklogClient.client(violation.subject())))
                .toList();
    }

    private static void forgetOldBacklogs(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            try (Stream<Path> old = Files.walk(directory)) {
                for (Path file : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
