package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy.Fate;
import io.surewrite.test.OwnRepositories;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteId;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.repository.CrudRepository;

/** Writes of entities with a version, whose requests and answers are lost on the way to a real node. */
class SettledConditionsIntegrationTests extends CassandraTest {

    private static BadLines network;
    private static ApplicationContext application;
    private static Stocks stocks;
    private static ReactiveStocks reactive;
    private static Plains plains;

    private final UUID id = UUID.randomUUID();

    @BeforeAll
    static void start() throws IOException {
        session.execute("CREATE TABLE stock (id uuid PRIMARY KEY, note text, write_id uuid, version bigint)");
        session.execute("CREATE TABLE plain (id uuid PRIMARY KEY, note text, version bigint)");
        network = new BadLines(keyspace.server().contactPoint().getPort());
        application = shared(network.properties(), Application.class);
        stocks = application.getBean(Stocks.class);
        reactive = application.getBean(ReactiveStocks.class);
        plains = application.getBean(Plains.class);
    }

    @AfterAll
    static void close() throws IOException {
        network.close();
    }

    private void bad(Fate... fates) {
        network.bad(id, fates);
    }

    private void bad(Runnable meanwhile, Fate... fates) {
        network.bad(id, meanwhile, fates);
    }

    /** Another's write: not by the bad network. */
    private void another(long from) {
        assertThat(session.execute(
                                "UPDATE stock SET note = 'theirs', write_id = uuid(), version = ? WHERE id = ? IF version = ?",
                                from + 1,
                                id,
                                from)
                        .wasApplied())
                .isTrue();
    }

    /** The node answers a connection in the order of its requests, as they are on one row. */
    private void lateOnesArrive() {
        await().until(() -> network.onTheWay() == 0);
        stocks.findById(id);
    }

    private @Nullable String shown(String table) {
        Row row = session.execute("SELECT note, version FROM " + table + " WHERE id = ?", id)
                .one();
        return row == null ? null : row.getString("note") + " " + row.getLong("version");
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"ANSWER_LOST", "UNAVAILABLE", "WRITE_TIMEOUT"})
    void aSaveIsOneVersionWhateverBecomesOfItsRequests(Fate fate) {
        bad(fate);
        Stock first = stocks.save(new Stock(id, "a", null, null));
        assertThat(first.version()).isZero();
        assertThat(shown("stock")).isEqualTo("a 0");
        bad(fate, fate);
        Stock second = stocks.save(first.withNote("b"));
        assertThat(second.version()).isEqualTo(1);
        assertThat(shown("stock")).isEqualTo("b 1");
        assertThat(second.writeId()).isNotNull().isNotEqualTo(first.writeId());
        bad(fate);
        assertThat(reactive.save(second.withNote("c")).block().version()).isEqualTo(2);
        assertThat(shown("stock")).isEqualTo("c 2");
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"NEVER_SENT", "UNAVAILABLE"})
    void isLostOnlyToAnother(Fate fate) {
        Stock first = stocks.save(new Stock(id, "a", null, null));
        bad(() -> another(0), fate);
        assertThatExceptionOfType(OptimisticLockingFailureException.class)
                .isThrownBy(() -> stocks.save(first.withNote("b")));
        assertThat(shown("stock")).isEqualTo("theirs 1");
    }

    @Test
    void isUnknownWhereTheRowHasMovedOn() {
        Stock first = stocks.save(new Stock(id, "a", null, null));
        bad(() -> another(1), Fate.WRITE_TIMEOUT);
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> stocks.save(first.withNote("b")))
                .withMessageContaining("table stock")
                .withMessageContaining("the row shows version 2 and the id of another write");
        assertThat(shown("stock")).isEqualTo("theirs 2");
    }

    @Test
    void aDeletionThatArrivesLateDeletesNothingElse() {
        Stock second = stocks.save(stocks.save(new Stock(id, "a", null, null)).withNote("b"));
        bad(Fate.LATE);
        stocks.delete(second);
        assertThat(shown("stock")).isNull();
        stocks.save(new Stock(id, "c", null, null));
        lateOnesArrive();
        assertThat(shown("stock")).isEqualTo("c 0");
    }

    @Test
    void aDeletionIsDoneOrUnknown() {
        Stock first = stocks.save(new Stock(id, "a", null, null));
        bad(Fate.UNAVAILABLE);
        stocks.delete(first);
        assertThat(shown("stock")).isNull();
        Stock again = stocks.save(new Stock(id, "a", null, null));
        bad(Fate.WRITE_TIMEOUT);
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> stocks.delete(again))
                .withMessageContaining("the row is not there");
    }

    @Test
    void aDeletionIsLostOnlyToAnother() {
        Stock first = stocks.save(new Stock(id, "a", null, null));
        bad(() -> another(0), Fate.NEVER_SENT);
        assertThatExceptionOfType(OptimisticLockingFailureException.class).isThrownBy(() -> stocks.delete(first));
    }

    /** The values that another writes may be the very same. */
    @Test
    void guessesNothingWithoutAWriteId() {
        Plain first = plains.save(new Plain(id, "a", null));
        bad(Fate.WRITE_TIMEOUT);
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> plains.save(new Plain(id, "b", first.version)))
                .withMessageContaining("the row shows version 1 and nobody's id")
                .withMessageContaining("Fix:");
        assertThat(shown("plain")).isEqualTo("b 1");
    }

    @Test
    void knowsARowByAnIdThatTheCallHasMade() {
        network.bad("made", Fate.WRITE_TIMEOUT);
        Plain saved = plains.save(new Plain(null, "made", null));
        assertThat(session.execute("SELECT note FROM plain WHERE id = ?", saved.id)
                        .one()
                        .getString(0))
                .isEqualTo("made");
        network.good("made");
    }

    /** Spring Data counts versions up before it writes. */
    @Test
    void anEntityThatCanBeChangedKeepsItsVersionWhenItsWriteFails() {
        Plain first = plains.save(new Plain(id, "a", null));
        Plain other = new Plain(id, "b", first.version);
        plains.save(other);
        assertThatExceptionOfType(OptimisticLockingFailureException.class).isThrownBy(() -> plains.save(first));
        assertThat(first.version).isZero();
        assertThat(other.version).isEqualTo(1);
    }

    /** The compiler makes a method of the wider type, which stands for the redeclared one. */
    @Test
    void heedsTheVersionThroughAWiderType() {
        Plain first = plains.save(new Plain(id, "a", null));
        plains.save(new Plain(id, "b", first.version));
        CrudRepository<Plain, UUID> wider = application.getBean(Redeclaring.class);
        assertThatExceptionOfType(OptimisticLockingFailureException.class).isThrownBy(() -> wider.delete(first));
        assertThat(shown("plain")).isEqualTo("b 1");
    }

    /** Several writers may write one version that they do not compare. */
    @Test
    void believesNoVersionThatIsNotCompared() {
        stocks.save(new Stock(id, "a", null, null));
        bad(
                () -> assertThat(session.execute(
                                        "UPDATE stock SET note = 'theirs', write_id = uuid(), version = 1 WHERE id = ? IF EXISTS",
                                        id)
                                .wasApplied())
                        .isTrue(),
                Fate.WRITE_TIMEOUT);
        Notes notes = application.getBean(Notes.class);
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> notes.change(id, "a", "b"))
                .withMessageContaining("the row shows the id of another write");
    }

    /** Sends by a template what no repository does. */
    static class Notes {

        private final CassandraTemplate template;

        Notes(CassandraTemplate template) {
            this.template = template;
        }

        @Idempotent
        public boolean change(UUID id, String from, String to) {
            return template.execute(SimpleStatement.newInstance(
                            "UPDATE stock SET note = ?, write_id = ?, version = ? WHERE id = ? IF note = ?",
                            to,
                            UUID.randomUUID(),
                            1L,
                            id,
                            from))
                    .wasApplied();
        }
    }

    /** A row that is counted. */
    @Table("stock")
    record Stock(
            @Id UUID id,
            String note,
            @WriteId @Column("write_id") @Nullable UUID writeId,
            @Version @Nullable Long version) {

        Stock withNote(String other) {
            return new Stock(id, other, writeId, version);
        }
    }

    /** One that can be changed, and does not tell who wrote it. */
    @Table("plain")
    static final class Plain {

        @Id
        @Nullable
        UUID id;

        String note;

        @Version
        @Nullable
        Long version;

        Plain(@Nullable UUID id, String note, @Nullable Long version) {
            this.id = id;
            this.note = note;
            this.version = version;
        }
    }

    @Idempotent
    interface Stocks extends CassandraRepository<Stock, UUID> {}

    @Idempotent
    interface ReactiveStocks extends ReactiveCassandraRepository<Stock, UUID> {}

    @Idempotent
    interface Plains extends CassandraRepository<Plain, UUID> {}

    @Idempotent
    interface Redeclaring extends CassandraRepository<Plain, UUID> {

        @Override
        void delete(Plain plain);
    }

    @OwnRepositories
    @Import(Notes.class)
    static class Application {}
}
