package io.surewrite.verification.faults;

import io.surewrite.embedded.CassandraNode;
import io.surewrite.embedded.EmbeddedCassandra;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Breaks one thing at a time and mends it: a node or a client, paused or killed. */
final class Nemesis {

    /** A killed node's start takes a minute on a slow machine that does much else. It is Cassandra's, and nothing is promised of it. */
    private static final Duration SETTLED = Duration.ofMinutes(3);

    private static final Duration LONGEST_PAUSE = LeaseClient.TTL.multipliedBy(3);

    private final EmbeddedCassandra cluster;
    private final List<Client> clients;
    private final History history;
    private final Random random;
    private final Deque<Boolean> mildOnNodes = new ArrayDeque<>();
    private final Deque<Boolean> mildOnClients = new ArrayDeque<>();

    private Nemesis(Run run, History history, long seed) {
        this.cluster = run.cluster();
        this.clients = run.clients();
        this.history = history;
        this.random = new Random(seed);
    }

    /** After each disturbance it is quiet, mostly for so long that a blocked name would be noticed. */
    static void strikeAgainAndAgain(Run run, History history, long seed, long end)
            throws IOException, InterruptedException {
        Nemesis nemesis = new Nemesis(run, history, seed);
        long blocked = LeaseTrial.LONGEST_BLOCKED.toMillis();
        while (System.nanoTime() < end) {
            nemesis.strike();
            Thread.sleep(nemesis.random.nextLong(blocked / 2, blocked * 3 / 2));
        }
        Thread.sleep(blocked + 1000);
    }

    /**
     * One disturbance, from its beginning to its end. Clients are left alone while one of them is not at work again, so that
     * there always are some.
     */
    private void strike() throws IOException, InterruptedException {
        if (random.nextInt(3) == 0 || isOneAway()) {
            strike(
                    cluster.node(random.nextInt(cluster.nodes().size())),
                    next(mildOnNodes, List.of(true, true, true, false)));
        } else {
            strike(clients.get(random.nextInt(clients.size())), next(mildOnClients, List.of(true, false)));
        }
    }

    /** All kinds come in each round, in any order, so that a short run has all of them, too. */
    private boolean next(Deque<Boolean> round, List<Boolean> kinds) {
        if (round.isEmpty()) {
            List<Boolean> shuffled = new ArrayList<>(kinds);
            Collections.shuffle(shuffled, random);
            round.addAll(shuffled);
        }
        return round.remove();
    }

    private boolean isOneAway() throws IOException {
        for (Client client : clients) {
            if (!client.isAtWork()) {
                return true;
            }
        }
        return false;
    }

    private void strike(CassandraNode node, boolean mild) throws InterruptedException {
        long from = System.nanoTime();
        String name = node.toString();
        if (mild) {
            node.pause();
            sleep();
            node.resume();
        } else {
            node.kill();
            sleep();
            node.restart();
        }
        cluster.awaitMembers(SETTLED);
        history.add(Event.NODE_FAULT, name + (mild ? ", paused" : ", killed"), 0, from);
    }

    private void strike(Client client, boolean mild) throws IOException, InterruptedException {
        long from = System.nanoTime();
        String name = client.toString();
        if (mild) {
            client.stop();
            sleep();
            client.resume();
        } else {
            client.kill();
            history.add(Event.CLIENT_FAULT, name + ", killed", 0, from);
            sleep();
            client.restart();
            return;
        }
        history.add(Event.CLIENT_FAULT, name + ", stopped", 0, from);
    }

    private void sleep() throws InterruptedException {
        Thread.sleep(random.nextLong(500, LONGEST_PAUSE.toMillis()));
    }
}
