package com.example.features;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseAssert;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.retry.Idempotent;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.WriteReceipt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.springframework.aot.AotDetector;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** Uses every feature once. What does not do what it should ends the application with an error. */
@Configuration(proxyBeanMethods = false)
public class Features {

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
            check("is healthy", get(context, "health").contains("\"leases\":{\"status\":\"UP\"}"));
            throwing("refuses to retry a named query that may not be", InvalidConfigurationException.class, () -> context.getBean(Named.class));
            System.out.println("TOUR DONE");
        };
    }

    private static String get(ApplicationContext context, String endpoint) {
        String port = context.getEnvironment().getProperty("local.server.port");
        return RestClient.create().get().uri("http://localhost:" + port + "/actuator/" + endpoint)
                .exchange((request, response) -> new String(response.getBody().readAllBytes())); // not ready yet, and so a 503
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

    private static void throwing(String what, Class<? extends Throwable> expected, Callable<?> call) {
        boolean found = false;
        try {
            call.call();
        } catch (Exception thrown) {
            found = Stream.iterate((Throwable) thrown, Objects::nonNull, Throwable::getCause).anyMatch(expected::isInstance);
            if (!found) {
                throw new IllegalStateException("TOUR FAILED: " + what, thrown);
            }
        }
        check(what, found);
    }
}

record Person(@PrimaryKey UUID id, String login, String email) {}

@Idempotent
@UniqueBy(value = "login", name = "login")
interface People extends CassandraRepository<Person, UUID>, OverwriteRepository<Person> {

    @Query("UPDATE person SET email = ?0 WHERE id = ?1")
    ResultSet write(String email, UUID id);

    @Query("SELECT * FROM person WHERE id = ?0")
    List<Person> readById(UUID id);

    List<Person> findPersonById(UUID id);
}

interface Waiting extends CassandraRepository<Person, UUID> {

    @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
    @Query("UPDATE person SET email = ?0 WHERE id = ?1")
    WriteReceipt keep(String email, UUID id);
}

@Component
class Steps {

    private final CassandraOperations template;

    private final List<Long> times = new ArrayList<>();

    Steps(CassandraOperations template) {
        this.template = template;
    }

    public List<Long> times() {
        return times;
    }

    /** Fails after the first write, so that there is a second. */
    @Idempotent
    public void writeTwice(UUID id) {
        template.getCqlOperations().execute("UPDATE person SET email = 'twice' WHERE id = ?", id);
        times.add(template.getCqlOperations()
                .queryForObject("SELECT WRITETIME(email) FROM person WHERE id = ?", Long.class, id));
        if (times.size() == 1) {
            throw new DriverTimeoutException("the answer was lost");
        }
    }

    @WithLease(key = "#name")
    public long tokenOf(String name) {
        return LeaseAssert.assertHeld(name).token();
    }
}

/** Is refused when it is made. */
@Lazy
interface Counters extends CassandraRepository<Person, UUID> {

    @Idempotent
    @Query("UPDATE visits SET n = n + 1 WHERE id = ?0")
    ResultSet visit(UUID id);
}

/** Is refused when it is made: there is no such property. */
@Lazy
@UniqueBy("logon")
interface Doubtful extends CassandraRepository<Person, UUID> {}

/** Is refused when it is made: its statement stands in a file of named queries, and computes a value anew. */
@Lazy
interface Named extends CassandraRepository<Person, UUID> {

    @Idempotent
    ResultSet touch(String email, UUID id);
}
