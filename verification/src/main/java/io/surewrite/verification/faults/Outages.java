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
    private static final Duration SETTLED = Duration.ofMinutes(3);

    /** What a store writes, and how often the disk changes it. */
    private static final List<String> FILES = List.of("backlog.db", "backlog.db", "backlog.db-journal");

    private Outages() {}

    /** Four rounds at least. */
    static void takeTheClusterAway(Run run, History history, long seed, long end)
            throws IOException, InterruptedException {
        Random random = new Random(seed);
        for (int round = 1; round <= LEAST_ROUNDS || System.nanoTime() < end; round++) {
            takeAway(run, history, random, round % 2 == 0);
            run.cluster().awaitMembers(SETTLED);
            run.awaitClients();
            Thread.sleep(CALM.toMillis());
        }
    }

    private static void takeAway(Run run, History history, Random random, boolean damaging)
            throws IOException, InterruptedException {
        long from = System.nanoTime();
        List<CassandraNode> nodes = run.cluster().nodes();
        long between = AWAY.toMillis() / (run.clients().size() + 1);
        nodes.forEach(CassandraNode::kill);
        for (Client client : run.clients()) {
            Thread.sleep(between);
            long killed = System.nanoTime();
            client.kill();
            if (damaging) {
                String damage = damage(WriteClient.backlog(run.directory(), client.toString()), random);
                System.out.println(client + ": " + damage);
                history.add(Event.DAMAGED, client.toString(), 1, killed);
            }
            history.add(Event.CLIENT_FAULT, client + ", killed", 0, killed);
            client.restart();
        }
        Thread.sleep(between);
        nodes.forEach(CassandraNode::restart);
        nodes.forEach(node -> history.add(Event.NODE_FAULT, node + ", killed", 0, from));
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
}
