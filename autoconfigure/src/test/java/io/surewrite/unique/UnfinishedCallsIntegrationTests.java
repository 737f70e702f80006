package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy;
import io.surewrite.test.FrameProxy.Fate;
import io.surewrite.test.FrameProxy.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;
import reactor.core.Disposable;

/** What calls still send that end in the middle. */
class UnfinishedCallsIntegrationTests extends CassandraTest {

    private final UUID id = UUID.randomUUID();
    private final String login = "login-" + id;
    private final String note = "note-" + id;

    /** The requests about the row, and whether they write it. */
    private final List<Boolean> writes = new CopyOnWriteArrayList<>();

    @Table("writer")
    record Writer(@PrimaryKey UUID id, String login, String note) {}

    @UniqueBy("login")
    interface Writers extends ReactiveCassandraRepository<Writer, UUID> {}

    @Configuration(proxyBeanMethods = false)
    @EnableReactiveCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Writers.class))
    static class Application {}

    private Verdict verdict(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        Fate fate = Fate.DELIVERED;
        if (text.contains(note) || text.contains(login)) {
            fate = writes.isEmpty() ? Fate.LATE : Fate.DELIVERED;
            writes.add(text.contains(note));
        }
        return new Verdict(fate, new CompletableFuture<>());
    }

    @Test
    void aDisposedInsertDoesNotSendItsRowAndWithdrawsItsClaim() throws IOException {
        session.execute("CREATE TABLE writer (id uuid PRIMARY KEY, login text, note text)");
        int node = keyspace.server().contactPoint().getPort();
        try (FrameProxy network = new FrameProxy(node, Duration.ofMillis(700), this::verdict)) {
            Writers writers = shared(
                            List.of(
                                    "spring.cassandra.contact-points=127.0.0.1:" + network.port(),
                                    "surewrite.conditional.request-timeout=2100ms"),
                            Application.class)
                    .getBean(Writers.class);
            Disposable insert = writers.insert(new Writer(id, login, note)).subscribe();
            await().until(() -> writes.size() == 1);
            insert.dispose();
            await("the claim's withdrawal").until(() -> writes.size() == 2);
            String claim = "SELECT owner FROM surewrite_claim WHERE constraint_name = 'writer.login' AND value = ?";
            await().until(() ->
                    session.execute(claim, login.length() + ":" + login).all().isEmpty());
        }
        assertThat(writes).containsOnly(false);
        assertThat(session.execute("SELECT id FROM writer").all()).isEmpty();
    }
}
