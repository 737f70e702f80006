package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.lab.Comparison.Experiment;
import io.surewrite.alledeals.lab.Comparison.Side;
import io.surewrite.alledeals.purchase.PurchaseService;
import io.surewrite.alledeals.web.ProblemException;
import io.surewrite.cql.session.ScopedCqlSession;
import io.surewrite.lease.CloseableLeaseLocks;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.retry.TimeUuids;
import io.surewrite.retry.WriteRetryTemplate;
import io.surewrite.unique.DuplicateValueException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.retry.support.RetryTemplate;
import org.springframework.stereotype.Component;

/**
 * Does the same work twice, as Spring's guides write it and with Surewrite, with the same faults on the same database. Nothing
 * is imitated: what a side shows is what the people in it heard and what the database says.
 */
@Component
class SideBySide {

    private static final int PEOPLE = 8;
    private static final int BUYERS = 20;
    private static final int UNITS = 10;
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final CqlSession session;
    private final CassandraConverter converter;
    private final CassandraTemplate cassandra;
    private final WriteRetryTemplate writes;
    private final LabMembers members;
    private final LabShop shop;
    private final ItemService items;
    private final PurchaseService purchases;
    private final DyingHolder holders;

    SideBySide(
            CqlSession session,
            CassandraConverter converter,
            WriteRetryTemplate writes,
            LabMembers members,
            LabShop shop,
            ItemService items,
            PurchaseService purchases,
            DyingHolder holders) {
        this.session = session;
        this.converter = converter;
        this.cassandra = new CassandraTemplate(session, converter);
        this.writes = writes;
        this.members = members;
        this.shop = shop;
        this.items = items;
        this.purchases = purchases;
        this.holders = holders;
    }

    /** Runs both sides of an experiment, one after the other. */
    Comparison compare(Experiment experiment) {
        return switch (experiment) {
            case UNDO -> new Comparison(experiment, undo(false), undo(true));
            case LOGIN -> new Comparison(experiment, login(false), login(true));
            case STOCK -> new Comparison(experiment, plainStock(), sureStock());
            case LOCK -> new Comparison(experiment, plainLock(), sureLock());
        };
    }

    /** A first answer is lost; before the retry somebody else writes. */
    private Side undo(boolean sure) {
        Story story = new Story();
        String id = "address " + UUID.randomUUID();
        cassandra.insert(LabRow.text(id, "the old address"));
        CountDownLatch lost = new CountDownLatch(1);
        CountDownLatch corrected = new CountDownLatch(1);
        CqlSession losing = losingTheFirstAnswer(story, lost, corrected);
        CassandraTemplate annas = new CassandraTemplate(sure ? ScopedCqlSession.of(losing) : losing, converter);
        LabRow address = LabRow.text(id, "Anna’s address");
        together(List.of(
                () -> {
                    if (sure) {
                        writes.execute("lab-address", () -> annas.update(address));
                    } else {
                        RetryTemplate.builder()
                                .maxAttempts(3)
                                .fixedBackoff(20)
                                .build()
                                .execute(attempt -> annas.update(address));
                    }
                    story.say("Anna’s retry is done");
                    return true;
                },
                () -> {
                    lost.await();
                    cassandra.update(LabRow.text(id, "Bert’s correction"));
                    story.say("Bert’s correction is done");
                    corrected.countDown();
                    return true;
                }));
        String stays = String.valueOf(row(id).text());
        return story.end("The row says: " + stays, stays.equals("Bert’s correction"));
    }

    /** The first update is applied, and its sender hears a timeout: after the correction, which comes in the back-off. */
    private CqlSession losingTheFirstAnswer(Story story, CountDownLatch lost, CountDownLatch corrected) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        return (CqlSession) Proxy.newProxyInstance(
                CqlSession.class.getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    Object answer;
                    try {
                        answer = method.invoke(session, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getTargetException();
                    }
                    if (method.getName().equals("execute")
                            && arguments[0] instanceof BoundStatement
                            && isFirst.getAndSet(false)) {
                        story.say("Anna’s update is applied, its answer is lost");
                        lost.countDown();
                        corrected.await();
                        throw new DriverTimeoutException("Lost on purpose, in the Lab");
                    }
                    return answer;
                });
    }

    private Side login(boolean sure) {
        Story story = new Story();
        String login = "anna " + UUID.randomUUID();
        Queue<UUID> welcomed = new ConcurrentLinkedQueue<>();
        int welcome = race(PEOPLE, person -> {
            UUID id = UUID.randomUUID();
            boolean taken = sure ? isTaken(new LabMember(id, login)) : isTaken(id, login);
            story.say("Person %d hears: %s".formatted(person + 1, taken ? "taken" : "welcome"));
            return !taken && welcomed.add(id);
        });
        if (sure) {
            members.deleteAllById(welcomed); // neither rows nor claims stay
        }
        return story.end("%d of %d people have the login".formatted(welcome, PEOPLE), welcome == 1);
    }

    private boolean isTaken(LabMember member) {
        try {
            members.insert(member);
            return false;
        } catch (DuplicateValueException taken) {
            return true;
        }
    }

    /** Check, then insert. */
    private boolean isTaken(UUID id, String login) {
        if (cassandra.exists(login, LabRow.class)) {
            return true;
        }
        cassandra.insert(LabRow.text(login, id.toString()));
        return false;
    }

    private Side plainStock() {
        Story story = new Story();
        String id = "stock " + UUID.randomUUID();
        cassandra.insert(LabRow.units(id, UNITS));
        int sold = race(BUYERS, buyer -> {
            int left = Objects.requireNonNull(row(id).units());
            if (left > 0) {
                cassandra.update(LabRow.units(id, left - 1));
            }
            story.say("Buyer %d sees %d left: %s".formatted(buyer + 1, left, left > 0 ? "bought" : "sold out"));
            return left > 0;
        });
        return stock(story, sold, Objects.requireNonNull(row(id).units()));
    }

    private Side sureStock() {
        Story story = new Story();
        Item item = shop.listItem("Ten units, twenty buyers", UNITS);
        List<UUID> shoppers = IntStream.range(0, BUYERS).mapToObj(shop::buyer).toList();
        int sold = race(BUYERS, buyer -> {
            boolean bought;
            try {
                purchases.purchase(TimeUuids.next(), item.id(), shoppers.get(buyer), 1);
                bought = true;
            } catch (ProblemException soldOut) {
                bought = false;
            }
            story.say("Buyer %d hears: %s".formatted(buyer + 1, bought ? "bought" : "sold out"));
            return bought;
        });
        return stock(story, sold, items.get(item.id()).availableUnits());
    }

    private static Side stock(Story story, int sold, int left) {
        return story.end("%d sold of %d, %d left".formatted(sold, UNITS, left), sold + left == UNITS);
    }

    private Side plainLock() {
        Story story = new Story();
        String name = "lock " + UUID.randomUUID();
        plainly(name, "Anna", TTL);
        story.say("Anna has the lock for %d s, and her process stands still".formatted(TTL.toSeconds()));
        while (!plainly(name, "Bert", Duration.ofSeconds(60))) {
            sleep(100);
        }
        story.say("Bert has the lock, and works");
        session.execute(SimpleStatement.newInstance("DELETE FROM cass_lab_row WHERE id = ? IF EXISTS", name));
        story.say("Anna wakes, and releases the lock");
        boolean both = plainly(name, "Clara", Duration.ofSeconds(60));
        story.say(both ? "Clara has the lock" : "Clara is refused");
        return lock(story, both);
    }

    private boolean plainly(String name, String owner, Duration ttl) {
        return session.execute(SimpleStatement.newInstance(
                        "INSERT INTO cass_lab_row (id, text) VALUES (?, ?) IF NOT EXISTS USING TTL ?",
                        name,
                        owner,
                        (int) ttl.toSeconds()))
                .wasApplied();
    }

    private Side sureLock() {
        Story story = new Story();
        LeaseRequest request = LeaseRequest.of("alledeals:lab:" + UUID.randomUUID());
        try (CloseableLeaseLocks annas = holders.locks("Anna");
                CloseableLeaseLocks berts = holders.locks("Bert");
                CloseableLeaseLocks claras = holders.locks("Clara")) {
            Lease first = take(annas, request.withTtl(TTL).withoutRenewal()).orElseThrow();
            story.say("Anna has the lease for %d s, token %d, and her process stands still"
                    .formatted(TTL.toSeconds(), first.token()));
            Lease second = take(berts, request).orElseThrow();
            story.say("Bert has the lease, token %d, and works".formatted(second.token()));
            story.say("Anna wakes: isHeld() is %s; release says %s".formatted(first.isHeld(), first.release()));
            boolean both = claras.tryAcquireAsync(request, Duration.ZERO)
                    .toCompletableFuture()
                    .join()
                    .isPresent();
            story.say(both ? "Clara has the lease" : "Clara is refused");
            second.release();
            return lock(story, both);
        }
    }

    /** As whoever stands for a process that does other things meanwhile: for no thread. */
    private static Optional<Lease> take(CloseableLeaseLocks locks, LeaseRequest request) {
        return locks.tryAcquireAsync(request, PATIENCE).toCompletableFuture().join();
    }

    private static Side lock(Story story, boolean both) {
        return story.end(both ? "Bert and Clara work at once" : "Bert works alone", !both);
    }

    private LabRow row(String id) {
        return Objects.requireNonNull(cassandra.selectOneById(id, LabRow.class));
    }

    /** How many of so many, all at the same moment, say yes. */
    private static int race(int many, IntPredicate one) {
        CountDownLatch go = new CountDownLatch(many);
        List<Callable<Boolean>> racers = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            int number = i;
            racers.add(() -> {
                go.countDown();
                go.await();
                return one.test(number);
            });
        }
        return (int) together(racers).stream().filter(yes -> yes).count();
    }

    private static List<Boolean> together(List<Callable<Boolean>> people) {
        ExecutorService threads = Executors.newFixedThreadPool(people.size(), task -> {
            Thread thread = new Thread(task, "lab-side");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Boolean> answers = new ArrayList<>();
            for (Future<Boolean> answer : threads.invokeAll(people, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                answers.add(answer.get());
            }
            return answers;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("One of the people met trouble", failed.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private static void sleep(long millis) {
        var unused = CompletableFuture.runAsync(
                        () -> {}, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS))
                .join();
    }

    /** What happens, as it happens. */
    private static final class Story {

        private final long start = System.nanoTime();
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();

        private void say(String what) {
            lines.add(String.format(Locale.ROOT, "%,d ms  %s", (System.nanoTime() - start) / 1_000_000, what));
        }

        private Side end(String result, boolean right) {
            return new Side(List.copyOf(lines), result, right);
        }
    }
}
