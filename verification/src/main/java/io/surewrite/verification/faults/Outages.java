package io.surewrite.verification.faults;

import io.surewrite.embedded.CassandraNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** The whole cluster goes away, and each client is killed meanwhile; in every second round the disk changes what one of them keeps. */
final class Outages {

    private static final int LEAST_ROUNDS = 4;
    private static final Duration AWAY = Duration.ofSeconds(30);
    private static final Duration CALM = Duration.ofSeconds(5);

    /** What a store writes, and how often the disk changes it. */
    private static final List<String> FILES = List.of("backlog.db", "backlog.db", "backlog.db-journal");

    private Outages() {}

    /** Four rounds at least. */
    static void takeTheClusterAway(Run run, Random random, long end) throws IOException, InterruptedException {
        for (int round = 1; round <= LEAST_ROUNDS || System.nanoTime() < end; round++) {
            takeAway(run, random, round % 2 == 0);
            run.awaitMembers();
            run.awaitClients();
            Thread.sleep(CALM.toMillis());
        }
    }

    private static void takeAway(Run run, Random random, boolean damaging) throws IOException, InterruptedException {
        long from = System.nanoTime();
        List<CassandraNode> nodes = run.cluster().nodes();
        long between = AWAY.toMillis() / (run.clients().size() + 1);
        nodes.forEach(CassandraNode::kill);
        for (Client client : run.clients()) {
            Thread.sleep(between);
            run.during(Event.CLIENT_FAULT, client + ", killed", client::kill);
            if (damaging) {
                Path backlog = WriteClient.backlog(run.directory(), client.toString());
                run.during(Event.DAMAGED, client.toString(), () -> damage(backlog, random));
            }
            client.restart();
        }
        Thread.sleep(between);
        nodes.forEach(CassandraNode::restart);
        nodes.forEach(node -> run.history().add(Event.NODE_FAULT, node + ", killed", 0, from));
    }

    /** Flips a bit of a byte that is not zero, so that it lies in what was written. */
    private static void damage(Path backlog, Random random) throws IOException {
        Path file = backlog.resolve(FILES.get(random.nextInt(FILES.size())));
        byte[] bytes = Files.readAllBytes(file);
        int at;
        do {
            at = random.nextInt(bytes.length);
        } while (bytes[at] == 0);
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, bytes);
        System.out.printf("Damaged: a bit of byte %d of %d in %s%n", at, bytes.length, file);
    }
}
