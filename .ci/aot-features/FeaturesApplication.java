package com.example.features;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.WriteReceipt;
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
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/** Uses every feature once. What does not do what it should ends the application with an error. */
@SpringBootApplication
public class FeaturesApplication {

    public static void main(String[] args) {
        System.exit(SpringApplication.exit(SpringApplication.run(FeaturesApplication.class, args)));
    }

    @Bean
    ApplicationRunner tour(ApplicationContext context, People people, Waiting waiting, Steps steps, LeaseLocks locks, WriteBacklog backlog,
            AttributeJournal journal, UniqueFinder finder) {
        return args -> {
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
                check("shows leases", get(context, "leases").contains("tour"));
            }
            check("runs a method under a lease", steps.tokenOf("tour") > 0);

            backlog.put("tour", SimpleStatement.newInstance("UPDATE person SET email = 'kept' WHERE id = ?", id));
            backlog.replay();
            await("replays a kept write", () -> "kept".equals(people.readById(id).get(0).email()));
            check("shows the backlog", get(context, "backlog").contains("entries"));

            journal.record(id.toString(), Map.of("email", "kept"), Instant.now());
            check("remembers attributes", journal.current(id.toString()).value("email").isPresent());
            check("shows constraints", get(context, "uniqueconstraints").contains("login"));
            check("is healthy", get(context, "health").contains("UP"));
            throwing("refuses to retry a named query that may not be", InvalidConfigurationException.class, () -> context.getBean(Named.class));
            System.out.println("TOUR DONE");
        };
    }

    private static String get(ApplicationContext context, String endpoint) throws Exception {
        String url = "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/actuator/" + endpoint;
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString()).body();
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
        boolean found = false;
        try {
            call.call();
        } catch (Exception thrown) {
            for (Throwable each = thrown; each != null; each = each.getCause()) {
                found = found || expected.isInstance(each);
            }
            if (!found) {
                throw new IllegalStateException("TOUR FAILED: " + what, thrown);
            }
        }
        check(what, found);
    }
}
