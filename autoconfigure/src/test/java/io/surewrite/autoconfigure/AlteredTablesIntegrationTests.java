package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surewrite.overwrite.Overwriting;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.unique.UniqueBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/**
 * Repositories read, and one with a unique value saves what it has read, while columns are added to their table and dropped
 * that stand, by their names, among their own.
 */
class AlteredTablesIntegrationTests extends CassandraTest {

    private static final UUID ID = UUID.fromString("00000000-0000-4000-8000-000000000001");
    private static final Profile ANN = new Profile(ID, "ann@example.org", "Bahnhofstrasse", "8001");

    @Table("profile")
    record Profile(@PrimaryKey UUID id, String email, String street, String zip) {}

    interface Plain extends CassandraRepository<Profile, UUID> {}

    @Idempotent
    @Overwriting
    interface Annotated extends CassandraRepository<Profile, UUID> {}

    @UniqueBy("email")
    interface Guarded extends CassandraRepository<Profile, UUID> {}

    @OwnRepositories
    static class Application {}

    @BeforeEach
    void createTable() {
        session.execute("DROP TABLE IF EXISTS profile");
        session.execute("CREATE TABLE profile (id uuid PRIMARY KEY, email text, street text, zip text)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"V5", "V4"})
    void everyReadIsRight(String protocol) {
        application(protocol).run(context -> assertThat(wrongReads(context)).isEmpty());
    }

    private static ApplicationContextRunner application(String protocol) {
        return application()
                .withUserConfiguration(Application.class)
                .withSystemProperties("datastax-java-driver.advanced.protocol.version=" + protocol);
    }

    /** What is read while the table is altered again and again. */
    private static List<Object> wrongReads(ApplicationContext context) throws Exception {
        Guarded guarded = context.getBean(Guarded.class);
        guarded.save(ANN);
        List<String> claim = claims();
        assertThat(claim).hasSize(1);
        List<CassandraRepository<Profile, UUID>> repositories =
                List.of(context.getBean(Plain.class), context.getBean(Annotated.class), guarded);
        Queue<Object> wrong = new ConcurrentLinkedQueue<>();
        AtomicInteger right = new AtomicInteger();
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService readers = Executors.newFixedThreadPool(repositories.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (CassandraRepository<Profile, UUID> repository : repositories) {
                running.add(readers.submit(() -> {
                    while (!isOver.get()) {
                        for (Supplier<Optional<Profile>> read : List.<Supplier<Optional<Profile>>>of(
                                () -> repository.findById(ID),
                                () -> repository.findAll().stream().findAny(),
                                () -> Optional.of(guarded.save(ANN)))) {
                            Object found = outcome(read);
                            if (found.equals(Optional.of(ANN))) {
                                right.incrementAndGet();
                            } else {
                                wrong.add(found);
                            }
                        }
                    }
                }));
            }
            for (String change : List.of("ADD country text", "DROP country", "ADD area text")) {
                awaitReads(() -> right.get() + wrong.size());
                session.execute("ALTER TABLE profile " + change);
                awaitReads(right::get);
            }
            isOver.set(true);
            for (Future<?> reader : running) {
                reader.get();
            }
        } finally {
            readers.shutdownNow();
        }
        if (!claims().equals(claim)) {
            wrong.add("a save that saw another value in the row claimed that, or freed its own");
        }
        return List.copyOf(wrong);
    }

    private static List<String> claims() {
        return session.execute("SELECT constraint_name, value, owner FROM surewrite_claim").all().stream()
                .filter(row -> "profile.email".equals(row.getString(0)))
                .map(row -> row.getString(1) + " of " + row.getString(2))
                .toList();
    }

    private static void awaitReads(IntSupplier reads) {
        int before = reads.getAsInt();
        await().atMost(Duration.ofMinutes(1)).until(() -> reads.getAsInt() > before + 100);
    }

    private static Object outcome(Supplier<Optional<Profile>> read) {
        try {
            return read.get();
        } catch (RuntimeException thrown) {
            return thrown;
        }
    }
}
