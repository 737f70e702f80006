package com.example.features;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.write.WriteReceipt;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueFinder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.springframework.aot.AotDetector;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Uses every feature once. What does not do what it should ends the application with an error. */
@Component
class Tour implements ApplicationRunner {

    private final ApplicationContext context;
    private final People people;
    private final Waiting waiting;
    private final Steps steps;
    private final LeaseLocks locks;
    private final WriteBacklog backlog;
    private final AttributeJournal journal;
    private final UniqueFinder finder;
    private final Environment environment;

    Tour(
            ApplicationContext context,
            People people,
            Waiting waiting,
            Steps steps,
            LeaseLocks locks,
            WriteBacklog backlog,
            AttributeJournal journal,
            UniqueFinder finder,
            Environment environment) {
        this.context = context;
        this.people = people;
        this.waiting = waiting;
        this.steps = steps;
        this.locks = locks;
        this.backlog = backlog;
        this.journal = journal;
        this.finder = finder;
        this.environment = environment;
    }

    @Override
    public void run(ApplicationArguments args) throws Exception {
        check("is processed ahead of time", AotDetector.useGeneratedArtifacts());
        UUID id = UUID.randomUUID();
        String login = "anna-" + id;
        people.insert(new Person(id, login, "a@b.c"));
        check("finds by a derived query", people.findPersonById(id).size() == 1);
        check("finds by a stated query", people.readById(id).size() == 1);

        throwing("refuses a value that another row has", DuplicateValueException.class, () -> people.insert(new Person(UUID.randomUUID(), login, null)));
        check("finds a row by its value", finder.findKey("login", login).orElseThrow().get("id").equals(id));
        throwing("refuses a constraint on no property", InvalidConfigurationException.class, () -> context.getBean(Doubtful.class));

        people.overwrite(new Person(id, login, null));
        check("overwrites a row whole", people.readById(id).get(0).email() == null);

        people.write("written", id);
        check("writes by a stated query", people.readById(id).get(0).email().equals("written"));
        check("gives a receipt", WriteReceipt.WRITTEN.equals(waiting.keep("receipt", id)));
        steps.writeTwice(id);
        check("retries with one timestamp", steps.times().size() == 2 && steps.times().get(0).equals(steps.times().get(1)));
        throwing("refuses to retry a counter", InvalidConfigurationException.class, () -> context.getBean(Counters.class));

        try (Lease lease = locks.tryAcquire("tour").orElseThrow()) {
            check("holds a lease", lease.isHeld() && locks.tryAcquire("tour").isEmpty());
            check("shows leases", get("leases").contains("tour"));
        }
        check("runs a method under a lease", steps.tokenOf("tour") > 0);

        backlog.put("tour", SimpleStatement.newInstance("UPDATE person SET email = 'kept' WHERE id = ?", id));
        backlog.replay();
        await("replays a kept write", () -> "kept".equals(people.readById(id).get(0).email()));
        check("shows the backlog", get("backlog").contains("entries"));

        journal.record(id.toString(), Map.of("email", "kept"), Instant.now());
        check("remembers attributes", journal.current(id.toString()).value("email").isPresent());
        check("shows constraints", get("uniqueconstraints").contains("login"));
        check("is healthy", get("health").contains("UP"));
        throwing("refuses to retry a named query that may not be", InvalidConfigurationException.class, () -> context.getBean(Named.class));
        System.out.println("TOUR DONE");
    }

    private String get(String endpoint) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:"
                                        + environment.getProperty("local.server.port") + "/actuator/" + endpoint))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private static void check(String what, boolean holds) {
        if (!holds) {
            throw new IllegalStateException("TOUR FAILED: " + what);
        }
        System.out.println("TOUR: " + what);
    }

    private static void await(String what, Callable<Boolean> holds) throws Exception {
        Instant end = Instant.now().plus(Duration.ofSeconds(30));
        while (!holds.call() && Instant.now().isBefore(end)) {
            Thread.sleep(20);
        }
        check(what, holds.call());
    }

    private static void throwing(String what, Class<? extends Throwable> expected, Callable<?> call) throws Exception {
        Throwable thrown = null;
        try {
            call.call();
        } catch (Exception e) {
            thrown = e;
        }
        boolean found = false;
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            found = found || expected.isInstance(each);
        }
        if (thrown != null && !found) {
            throw new IllegalStateException("TOUR FAILED: " + what, thrown);
        }
        check(what, found);
    }
}
