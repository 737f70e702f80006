package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy;
import io.surewrite.test.FrameProxy.Fate;
import io.surewrite.test.FrameProxy.Verdict;
import io.surewrite.test.OwnRepositories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** What calls still send that end in the middle, or whose answer is lost. */
class UnfinishedCallsIntegrationTests extends CassandraTest {

    private static final String CLAIM = "claimed login";
    private static final String NOTE = "note of the row";

    /** The requests about the row, and whether they write it. */
    private static final List<Boolean> REQUESTS = new CopyOnWriteArrayList<>();

    private static FrameProxy network;
    private static Writers writers;

    /** What becomes of the first of them that writes the row, or does not. */
    private static volatile Fate first = Fate.DELIVERED;

    private static volatile boolean firstWrite;

    @Table("writer")
    record Writer(@PrimaryKey @Nullable UUID id, String login, String note) {}

    @UniqueBy("login")
    interface Writers extends ReactiveCassandraRepository<Writer, UUID> {}

    @OwnRepositories
    static class Application {

        @Bean
        ReactiveBeforeConvertCallback<Writer> ids() {
            return (writer, table) -> Mono.fromSupplier(() -> new Writer(
                    Objects.requireNonNullElseGet(writer.id(), UUID::randomUUID), writer.login(), writer.note()));
        }
    }

    @BeforeAll
    static void start() throws IOException {
        session.execute("CREATE TABLE writer (id uuid PRIMARY KEY, login text, note text)");
        network = new FrameProxy(
                keyspace.server().contactPoint().getPort(),
                Duration.ofMillis(700),
                UnfinishedCallsIntegrationTests::verdict);
        writers = shared(
                        List.of(
                                "spring.cassandra.contact-points=127.0.0.1:" + network.port(),
                                "surewrite.conditional.request-timeout=2100ms"),
                        Application.class)
                .getBean(Writers.class);
    }

    @AfterAll
    static void stop() throws IOException {
        network.close();
    }

    private static Verdict verdict(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        boolean writes = text.contains(NOTE);
        boolean isFirst = !REQUESTS.contains(writes);
        if (writes || text.contains(CLAIM)) {
            REQUESTS.add(writes);
            if (isFirst && writes == firstWrite) {
                return new Verdict(first, new CompletableFuture<>());
            }
        }
        return new Verdict(Fate.DELIVERED, new CompletableFuture<>());
    }

    private static void begin(Fate fate, boolean ofWrite) {
        first = fate;
        firstWrite = ofWrite;
        REQUESTS.clear();
        session.execute("TRUNCATE writer");
    }

    private static int claims() {
        return session.execute(
                        "SELECT owner FROM surewrite_claim WHERE constraint_name = 'writer.login' AND value = ?",
                        CLAIM.length() + ":" + CLAIM)
                .all()
                .size();
    }

    @Test
    void aDisposedInsertDoesNotSendItsRowAndWithdrawsItsClaim() {
        begin(Fate.LATE, false);
        Disposable insert =
                writers.insert(new Writer(UUID.randomUUID(), CLAIM, NOTE)).subscribe();
        await().until(() -> REQUESTS.size() == 1);
        insert.dispose();
        await("the claim's withdrawal").until(() -> REQUESTS.size() == 2);
        await().until(() -> claims() == 0);
        assertThat(REQUESTS).containsOnly(false);
        assertThat(session.execute("SELECT id FROM writer").all()).isEmpty();
    }

    /** What the guard sends again has the first id: nobody asks the callback for another one. */
    @Test
    void anIdThatACallbackMakesIsOneRowWhenTheAnswerIsLost() {
        begin(Fate.ANSWER_LOST, true);
        Writer saved = writers.save(new Writer(null, CLAIM, NOTE)).block();
        assertThat(REQUESTS.stream().filter(writes -> writes)).as("sent again").hasSizeGreaterThan(1);
        assertThat(writers.findAll().collectList().block()).containsExactly(saved);
        assertThat(claims()).isEqualTo(1);
        writers.delete(saved).block();
    }
}
