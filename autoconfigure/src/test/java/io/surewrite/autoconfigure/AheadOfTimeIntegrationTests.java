package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.ProcessedRepositories;
import com.example.ProcessedRepositories.Counters;
import com.example.ProcessedRepositories.Misspelt;
import com.example.ProcessedRepositories.Named;
import com.example.ProcessedRepositories.People;
import com.example.ProcessedRepositories.Person;
import com.example.ProcessedRepositories.Worker;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.support.GenericApplicationContext;

/** What a build has processed works as what it was made of. */
class AheadOfTimeIntegrationTests extends CassandraTest {

    @TempDir
    private static Path directory;

    private static GenericApplicationContext context;

    private final UUID id = UUID.randomUUID();
    private final People people = context.getBean(People.class);

    @BeforeAll
    static void process() throws Exception {
        session.execute("CREATE TABLE processed_person (id uuid PRIMARY KEY, login text, email text)");
        session.execute("CREATE TABLE processed_visits (id uuid PRIMARY KEY, n counter)");
        AheadOfTime processing = new AheadOfTime(directory);
        context = processing.process(
                ProcessedRepositories.class,
                one -> TestPropertyValues.of(connection())
                        .and(
                                "surewrite.schema.initialize=always",
                                "surewrite.backlog.enabled=true",
                                "surewrite.backlog.directory=" + directory.resolve("backlog"),
                                "surewrite.journal.enabled=true",
                                "surewrite.retry.circuit-breaker.enabled=true",
                                "management.endpoints.web.exposure.include=backlog,leases,uniqueconstraints")
                        .applyTo(one));
        context.refresh();
    }

    @AfterAll
    static void close() {
        context.close();
    }

    /** Else Spring Data would make them as it always does, and the rest would prove nothing. */
    @Test
    void queryMethodsAreGenerated() throws Exception {
        try (Stream<Path> generated = Files.walk(directory)) {
            assertThat(generated.map(file -> file.getFileName().toString()))
                    .anyMatch(name -> name.contains("PeopleImpl__") && name.endsWith("AotRepository.class"));
        }
    }

    @Test
    void aValueThatAnotherRowHasIsRefused() {
        people.insert(new Person(id, "anna", null));
        assertThatThrownBy(() -> people.insert(new Person(UUID.randomUUID(), "anna", null)))
                .isInstanceOf(DuplicateValueException.class);
        assertThat(context.getBean(UniqueFinder.class).findKey("processed", "anna"))
                .hasValueSatisfying(key -> assertThat(key).containsEntry("id", id));
    }

    @Test
    void everyAttemptHasOneTimestamp() {
        Worker worker = context.getBean(Worker.class);
        worker.writeTwice(id);
        assertThat(worker.times()).hasSize(2);
        assertThat(worker.times().get(0)).isEqualTo(worker.times().get(1));
    }

    @Test
    void whatMustNotBeRepeatedIsRefused() {
        assertThatThrownBy(() -> context.getBean(Counters.class)).rootCause().hasMessageContaining("Counters.visit");
        assertThatThrownBy(() -> context.getBean(Misspelt.class)).rootCause().hasMessageContaining("logon");
        assertThatThrownBy(() -> context.getBean(Named.class)).rootCause().hasMessageContaining("touchProcessed");
    }

    @Test
    void methodsRunUnderTheirLease() {
        assertThat(context.getBean(Worker.class).tokenOf("work")).isPositive();
        LeaseLocks locks = context.getBean(LeaseLocks.class);
        try (Lease lease = locks.tryAcquire("held").orElseThrow()) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(locks.tryAcquire("held")).isEmpty();
        }
    }
}
