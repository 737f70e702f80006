package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.CassandraNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Writes while the whole cluster is away for a minute and every client is killed once: what returned is readable at QUORUM
 * afterwards, and nothing older lies over something newer. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pfaults-backlog package}.
 */
public final class BacklogFaults {

    private static final int CLIENTS = 3;
    private static final Duration AWAY = Duration.ofSeconds(60);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private BacklogFaults() {}

    /**
     * Runs until enough writes have returned and throws if anything was wrong.
     *
     * @param args how many writes
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        long enough = Long.parseLong(args[0]);
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
            awaitWrites(run, enough / 4);
            takeTheClusterAway(run, history);
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

    private static void takeTheClusterAway(Run run, History history) throws IOException, InterruptedException {
        long from = System.nanoTime();
        List<CassandraNode> nodes = run.cluster().nodes();
        nodes.forEach(CassandraNode::kill);
        for (Client client : run.clients()) {
            Thread.sleep(AWAY.toMillis() / (CLIENTS + 1));
            long killed = System.nanoTime();
            client.kill();
            client.restart();
            history.add(Event.CLIENT_FAULT, client.toString(), 0, killed);
        }
        Thread.sleep(AWAY.toMillis() / (CLIENTS + 1));
        nodes.forEach(CassandraNode::restart);
        history.add(Event.NODE_FAULT, "all", 0, from);
    }

    private static void judge(Run run) throws IOException {
        List<Event> events = run.events();
        long died = WrittenRows.sum(events, Event.DIED);
        System.out.printf(
                "%d writes returned, %d of them kept by clients that lived to tell, %d calls failed, %d rows read, %d clients killed, %d dead letters%n",
                WrittenRows.count(events, Event.ACKNOWLEDGED),
                WrittenRows.sum(events, Event.KEPT),
                WrittenRows.count(events, Event.FAILED),
                WrittenRows.count(events, Event.READ),
                WrittenRows.count(events, Event.CLIENT_FAULT),
                died);
        List<String> violations = new ArrayList<>(WrittenRows.violations(events));
        if (died > 0) {
            violations.add(died + " dead letters");
        }
        run.judge(violations);
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
