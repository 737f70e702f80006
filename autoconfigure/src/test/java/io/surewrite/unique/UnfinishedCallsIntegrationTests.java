package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy;
import io.surewrite.test.FrameProxy.Fate;
import io.surewrite.test.FrameProxy.Verdict;
import io.surewrite.test.Waits;
import io.surewrite.testsupport.LongLane;
import io.surewrite.write.UnknownOutcomeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;
import reactor.core.Disposable;

/** What callers are told of calls that end in the middle, and what such calls still send. */
@LongLane
class UnfinishedCallsIntegrationTests extends CassandraTest {

    private static final Duration LATE = Duration.ofMillis(700);

    private final UUID id = UUID.randomUUID();
    private final String login = "login-" + id;
    private final String note = "note-" + id;
    private final List<Frame> frames = new CopyOnWriteArrayList<>();
    private volatile Function<Frame, Fate> fates = frame -> Fate.DELIVERED;
    private volatile boolean losesByKey;
    private int ofKey;
    private final AtomicInteger rows = new AtomicInteger();
    private FrameProxy network;
    private ConfigurableApplicationContext application;
    private Writers writers;
    private ReactiveWriters reactive;

    /** A request about this test's row. */
    private record Frame(int number, boolean ofRow) {}

    @Table("writer")
    record Writer(
            @Nullable @PrimaryKey UUID id,
            @Nullable String login,
            @Nullable String note) {}

    @UniqueBy("login")
    interface Writers extends CassandraRepository<Writer, UUID>, OverwriteRepository<Writer> {}

    @UniqueBy("login")
    interface ReactiveWriters extends ReactiveCassandraRepository<Writer, UUID> {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Writers.class))
    @EnableReactiveCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = ReactiveWriters.class))
    @Import(Ids.class)
    static class Application {}

    static class Ids implements BeforeConvertCallback<Writer> {

        private final List<UUID> made = new CopyOnWriteArrayList<>();

        @Override
        public Writer onBeforeConvert(Writer writer, CqlIdentifier table) {
            if (writer.id() != null) {
                return writer;
            }
            made.add(UUID.randomUUID());
            return new Writer(made.get(made.size() - 1), writer.login(), writer.note());
        }
    }

    @BeforeEach
    void start() throws IOException {
        session.execute("DROP TABLE IF EXISTS writer");
        session.execute("CREATE TABLE writer (id uuid PRIMARY KEY, login text, note text)");
        network = new FrameProxy(keyspace.server().contactPoint().getPort(), LATE, this::verdict);
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .bannerMode(Banner.Mode.OFF)
                .properties(connection())
                .properties(
                        "spring.cassandra.contact-points=127.0.0.1:" + network.port(),
                        "surewrite.conditional.request-timeout=2100ms",
                        "surewrite.conditional.attempt-timeout=3s",
                        "surewrite.unique.timeout=10s",
                        "surewrite.schema.initialize=always",
                        // Boot's timer of repositories asks a closed context for meters, and hides how the call ended.
                        "management.metrics.data.repository.autotime.enabled=false")
                .run();
        writers = application.getBean(Writers.class);
        reactive = application.getBean(ReactiveWriters.class);
    }

    @AfterEach
    void stop() throws IOException {
        application.close();
        network.close();
    }

    private Verdict verdict(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        boolean ofRow = text.contains(note);
        Fate fate = Fate.DELIVERED;
        if (ofRow || text.contains(login)) {
            Frame frame = new Frame(frames.size() + 1, ofRow);
            frames.add(frame);
            fate = fates.apply(frame);
        }
        if (losesByKey && text.contains(bytes(id)) && ++ofKey > 1) {
            fate = Fate.ANSWER_LOST; // a deletion comes after its read
        }
        return new Verdict(fate, new CompletableFuture<>());
    }

    private static String bytes(UUID id) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits());
        return new String(bytes.array(), StandardCharsets.ISO_8859_1);
    }

    private Writer writer() {
        return new Writer(id, login, note);
    }

    private boolean isThere() {
        return session.execute("SELECT id FROM writer WHERE id = " + id).one() != null;
    }

    private long claims() {
        return session.execute("SELECT owner FROM surewrite_claim WHERE constraint_name = 'writer.login'"
                        + " AND value = '" + login.length() + ":" + login + "'")
                .all()
                .size();
    }

    // ---- sent, and then failed in any way

    @Test
    @Waits
    void aSaveIsUnknownWhoseColumnIsDroppedAfterItsAnswerWasLost() {
        assertUnknownIfDroppedMeanwhile(found -> found.save(writer()));
    }

    private void assertUnknownIfDroppedMeanwhile(Consumer<Writers> write) {
        fates = frame -> frame.ofRow() ? Fate.ANSWER_LOST : Fate.DELIVERED;
        CompletableFuture<Void> told = CompletableFuture.runAsync(() -> write.accept(writers));
        Awaitility.await().until(this::isThere);
        session.execute("ALTER TABLE writer DROP note");
        assertThatThrownBy(told::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(UnknownOutcomeException.class);
        assertThat(isThere()).isTrue();
        assertThat(claims()).isEqualTo(1);
    }

    @Test
    @Waits
    void aDeletionWithALostAnswerIsUnknownAtShutdown() {
        writers.save(new Writer(id, login, "before"));
        frames.clear();
        losesByKey = true;
        CompletableFuture<Void> told = CompletableFuture.runAsync(() -> writers.deleteById(id));
        Awaitility.await().until(() -> !isThere());
        application.close();
        assertThatThrownBy(told::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(UnknownOutcomeException.class);
    }

    /** What the guard sends again has the first id: nobody asks the callback for another one. */
    @Test
    @Waits
    void anIdThatACallbackMakesIsOneRowWhenTheAnswerIsLost() {
        fates = frame -> frame.ofRow() && rows.incrementAndGet() == 1 ? Fate.ANSWER_LOST : Fate.DELIVERED;
        Writer saved = writers.save(new Writer(null, login, note));
        assertThat(rows).as("sent again").hasValueGreaterThan(1);
        assertThat(application.getBean(Ids.class).made).containsExactly(saved.id());
        assertThat(writers.findAll()).containsExactly(saved);
        assertThat(claims()).isEqualTo(1);
    }

    @Test
    void aDisposedInsertDoesNotSendItsRowAndWithdrawsItsClaim() {
        fates = frame -> frame.number() == 1 ? Fate.LATE : Fate.DELIVERED;
        Disposable insert = reactive.insert(writer()).subscribe();
        Awaitility.await().until(() -> frames.size() == 1);
        insert.dispose();
        Awaitility.await("the claim's withdrawal").until(() -> frames.size() == 2);
        Awaitility.await().until(() -> claims() == 0);
        assertThat(frames).noneMatch(Frame::ofRow);
        assertThat(isThere()).isFalse();
    }
}
