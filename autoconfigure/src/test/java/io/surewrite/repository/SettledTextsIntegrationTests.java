package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy.Fate;
import io.surewrite.test.OwnRepositories;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteId;
import io.surewrite.write.WriteOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.springframework.boot.cassandra.autoconfigure.CqlSessionBuilderCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.DeleteOptions;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.UpdateOptions;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.query.Criteria;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import reactor.core.publisher.Mono;

/** Conditions in the application's own statements, whose requests and answers are lost on the way to a real node. */
class SettledTextsIntegrationTests extends CassandraTest {

    private static final Map<UUID, ConsistencyLevel> LOOKS = new ConcurrentHashMap<>();

    private static BadLines network;
    private static Parts parts;
    private static ReactiveParts reactive;
    private static Store store;

    private final UUID id = UUID.randomUUID();

    @BeforeAll
    static void start() throws IOException {
        session.execute("CREATE TABLE part (id uuid PRIMARY KEY, n int, write_id uuid)");
        network = new BadLines(keyspace.server().contactPoint().getPort());
        ApplicationContext application = shared(network.properties(), Application.class);
        parts = application.getBean(Parts.class);
        reactive = application.getBean(ReactiveParts.class);
        store = application.getBean(Store.class);
    }

    @AfterAll
    static void close() throws IOException {
        network.close();
    }

    @BeforeEach
    void insert() {
        session.execute("INSERT INTO part (id, n) VALUES (?, 1) IF NOT EXISTS", id);
    }

    /** Another's write: not by the bad network. */
    private void another(int n) {
        assertThat(session.execute("UPDATE part SET n = ?, write_id = uuid() WHERE id = ? IF EXISTS", n, id)
                        .wasApplied())
                .isTrue();
    }

    private @Nullable Integer shown() {
        await().atMost(Duration.ofSeconds(20)).until(() -> network.onTheWay() == 0);
        Row row = session.execute("SELECT n FROM part WHERE id = ?", id).one();
        return row == null ? null : row.getInt(0);
    }

    private @Nullable UUID writer() {
        return Objects.requireNonNull(session.execute("SELECT write_id FROM part WHERE id = ?", id)
                        .one())
                .getUuid(0);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"ANSWER_LOST", "UNAVAILABLE", "WRITE_TIMEOUT"})
    void anUpdateIsDoneWhateverBecomesOfItsRequests(Fate fate) {
        network.bad(id, fate);
        assertThat(parts.change(id, 2, 1, null)).isTrue();
        UUID first = writer();
        network.bad(id, fate, fate);
        assertThat(reactive.changeTelling(id, 3, 2, first).block()).isEqualTo(new WriteOutcome.Applied());
        assertThat(shown()).isEqualTo(3);
        assertThat(writer()).isNotNull().isNotEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource(value = Fate.class, mode = Mode.EXCLUDE, names = "DELIVERED")
    void anInsertIsDoneWhateverBecomesOfItsRequests(Fate fate) {
        session.execute("DELETE FROM part WHERE id = ? IF EXISTS", id);
        network.bad(id, fate);
        assertThat(parts.begin(id, 7, null)).isTrue();
        assertThat(shown()).isEqualTo(7);
    }

    @Test
    void isLostToAnother() {
        assertThat(parts.change(id, 2, 6, null)).isFalse();
        assertThat(reactive.change(id, 2, 6, null).block()).isFalse();
        assertThat(parts.begin(id, 2, null)).isFalse();
        assertThat(parts.end(id, 6)).isFalse();
        assertThat(rejecting(parts.changeTelling(id, 2, 6, null)).getInt("n")).isEqualTo(1);
        assertThat(rejecting(reactive.changeTelling(id, 2, 6, null).block()).getInt("n"))
                .isEqualTo(1);
        assertThat(shown()).isEqualTo(1);
    }

    private static Row rejecting(@Nullable WriteOutcome outcome) {
        assertThat(outcome).isInstanceOf(WriteOutcome.Rejected.class);
        return Objects.requireNonNull(((WriteOutcome.Rejected) outcome).row());
    }

    /** It may have been done before the other, or not at all. */
    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"NEVER_SENT", "UNAVAILABLE", "WRITE_TIMEOUT"})
    void isUnknownWhereTheRowShowsAnotherAfterALostAnswer(Fate fate) {
        network.bad(id, () -> another(5), fate);
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> parts.change(id, 2, 1, null))
                .withMessageContaining("the row shows the id of another write");
        network.bad(id, () -> another(6), fate);
        assertThat(parts.changeTelling(id, 2, 5, null))
                .isInstanceOfSatisfying(
                        WriteOutcome.Unknown.class,
                        unknown -> assertThat(unknown.cause())
                                .hasMessageContaining("the row shows the id of another write"));
        network.bad(id, () -> another(7), fate);
        assertThat(reactive.changeTelling(id, 2, 6, null).block()).isInstanceOf(WriteOutcome.Unknown.class);
        assertThat(shown()).isEqualTo(7);
    }

    /** By this call or by another. */
    @Test
    void aDeletionIsUnknownWhereTheRowIsGoneAfterALostAnswer() {
        network.bad(id, Fate.WRITE_TIMEOUT);
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> parts.end(id, 1))
                .withMessageContaining("the row is not there")
                .withMessageNotContaining("Fix:");
        assertThat(shown()).isNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"NEVER_SENT", "UNAVAILABLE", "WRITE_TIMEOUT"})
    void whatATemplateSendsIsDone(Fate fate) {
        network.bad(id, fate);
        assertThat(store.update(new Part(id, 2, null), 1)).isTrue();
        UUID other = UUID.randomUUID();
        network.bad(other, fate);
        assertThat(store.insert(new Part(other, 1, null))).isTrue();
        network.bad(other, fate);
        assertThat(store.insert(new Part(id, 3, null))).isFalse();
        assertThat(shown()).isEqualTo(2);
    }

    @Test
    void whatATemplateSendsIsUnknownWhereTheRowCannotTell() {
        network.bad(id, Fate.WRITE_TIMEOUT);
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> store.delete(new Part(id, 1, null)))
                .withMessageContaining("the row is not there");
    }

    /** One of another kind would not see what was decided. */
    @Test
    void looksAtTheRowAtTheLevelOfTheStatement() {
        network.bad(id, Fate.WRITE_TIMEOUT);
        assertThat(store.update(new Part(id, 2, null), 1)).isTrue();
        await().untilAsserted(() -> assertThat(LOOKS.get(id)).isEqualTo(DefaultConsistencyLevel.LOCAL_SERIAL));
    }

    /** A row. */
    @Table("part")
    record Part(
            @Id UUID id,
            int n,
            @WriteId @Column("write_id") @Nullable UUID writeId) {}

    interface Parts extends CassandraRepository<Part, UUID> {

        @Idempotent
        @Query("UPDATE part SET n = :n, write_id = :writeId WHERE id = :id IF n = :old")
        boolean change(UUID id, int n, int old, @WriteId @Nullable UUID writeId);

        @Idempotent
        @Query("UPDATE part SET n = ?1, write_id = ?3 WHERE id = ?0 IF n = ?2")
        WriteOutcome changeTelling(UUID id, int n, int old, @WriteId @Nullable UUID writeId);

        @Idempotent
        @Query("INSERT INTO part (id, n, write_id) VALUES (:id, :n, :writeId) IF NOT EXISTS")
        boolean begin(UUID id, int n, @WriteId @Nullable UUID writeId);

        @Idempotent
        @Query("DELETE FROM part WHERE id = :id IF n = :old")
        boolean end(UUID id, int old);
    }

    @Idempotent
    interface ReactiveParts extends ReactiveCassandraRepository<Part, UUID> {

        @Query("UPDATE part SET n = :n, write_id = :writeId WHERE id = :id IF n = :old")
        Mono<Boolean> change(UUID id, int n, int old, @WriteId @Nullable UUID writeId);

        @Query("UPDATE part SET n = :n, write_id = :writeId WHERE id = :id IF n = :old")
        Mono<WriteOutcome> changeTelling(UUID id, int n, int old, @WriteId @Nullable UUID writeId);
    }

    /** Sends by a template. */
    static class Store {

        private final CassandraTemplate template;

        Store(CassandraTemplate template) {
            this.template = template;
        }

        @Idempotent
        public boolean insert(Part part) {
            return template.insert(
                            part, InsertOptions.builder().withIfNotExists().build())
                    .wasApplied();
        }

        @Idempotent
        public boolean update(Part part, int old) {
            return template.update(
                            part,
                            UpdateOptions.builder()
                                    .serialConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL)
                                    .ifCondition(Criteria.where("n").is(old))
                                    .build())
                    .wasApplied();
        }

        @Idempotent
        public boolean delete(Part part) {
            return template.delete(
                            part,
                            DeleteOptions.builder()
                                    .ifCondition(Criteria.where("n").is(part.n()))
                                    .build())
                    .wasApplied();
        }
    }

    /** Notes at which level each row is looked at. */
    static final class Watched implements CqlSessionBuilderCustomizer, RequestTracker {

        @Override
        public void customize(CqlSessionBuilder builder) {
            builder.addRequestTracker(this);
        }

        @Override
        public void onSuccess(Request request, long nanos, DriverExecutionProfile profile, Node node, String prefix) {
            if (request instanceof BoundStatement bound
                    && bound.getPreparedStatement().getQuery().startsWith("SELECT id, write_id")) {
                LOOKS.put(
                        Objects.requireNonNull(bound.getUuid(0)), Objects.requireNonNull(bound.getConsistencyLevel()));
            }
        }

        @Override
        public void close() {}
    }

    @OwnRepositories
    @Import({Store.class, Watched.class})
    static class Application {}
}
