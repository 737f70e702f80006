package io.surewrite.verification.faults;

import io.surewrite.embedded.CassandraNode;
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

    private static final Duration LONGEST_PAUSE = LeaseClient.TTL.multipliedBy(3);

    private final Run run;
    private final Random random;
    private final Deque<Boolean> mildOnNodes = new ArrayDeque<>();
    private final Deque<Boolean> mildOnClients = new ArrayDeque<>();

    private Nemesis(Run run, Random random) {
        this.run = run;
        this.random = random;
    }

    /** After each disturbance it is quiet, mostly for so long that a blocked name would be noticed. */
    static void strikeAgainAndAgain(Run run, Random random, long end) throws IOException, InterruptedException {
        Nemesis nemesis = new Nemesis(run, random);
        long blocked = LeaseTrial.LONGEST_BLOCKED.toMillis();
        while (System.nanoTime() < end) {
            nemesis.strike();
            Thread.sleep(random.nextLong(blocked / 2, blocked * 3 / 2));
        }
        Thread.sleep(blocked + 1000);
    }

    /**
     * One disturbance, from its beginning to its end. Clients are left alone while one of them is not at work again, so that
     * there always are some.
     */
    private void strike() throws IOException, InterruptedException {
        if (random.nextInt(3) == 0 || !run.areClientsAtWork()) {
            strike(run.cluster().node(random.nextInt(run.cluster().nodes().size())));
        } else {
            strike(run.clients().get(random.nextInt(run.clients().size())));
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

    private void strike(CassandraNode node) throws IOException, InterruptedException {
        boolean mild = next(mildOnNodes, List.of(true, true, true, false));
        run.during(Event.NODE_FAULT, node + (mild ? ", paused" : ", killed"), () -> {
            if (mild) {
                node.pause();
                sleep();
                node.resume();
            } else {
                node.kill();
                sleep();
                node.restart();
            }
            run.awaitMembers();
        });
    }

    private void strike(Client client) throws IOException, InterruptedException {
        if (next(mildOnClients, List.of(true, false))) {
            run.during(Event.CLIENT_FAULT, client + ", stopped", () -> {
                client.stop();
                sleep();
                client.resume();
            });
        } else {
            run.during(Event.CLIENT_FAULT, client + ", killed", client::kill);
            sleep();
            client.restart();
        }
    }

    private void sleep() throws InterruptedException {
        Thread.sleep(random.nextLong(500, LONGEST_PAUSE.toMillis()));
    }
}
