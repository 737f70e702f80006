package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.write.WriteTimestamps;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** A guarded row is written as a whole, as a plain repository writes it: with its time to live, and whatever it held before. */
class WholeRowsIntegrationTests extends CassandraTest {

    private static final int TTL = 1000;
    private static final long MARGIN = 500_000;

    private static ApplicationContext application;
    private static Guests guests;
    private static PlainGuests plain;
    private static Olds olds;
    private static Pairs pairs;

    private final UUID id = UUID.randomUUID();
    private final String login = "login-" + id;

    @Table("guest")
    record Guest(
            @PrimaryKey UUID id,
            @Nullable String login,
            @Nullable String note) {}

    @UniqueBy("login")
    interface Guests extends CassandraRepository<Guest, UUID> {}

    @Table("plain_guest")
    record PlainGuest(
            @PrimaryKey UUID id,
            @Nullable String login,
            @Nullable String note) {}

    interface PlainGuests extends CassandraRepository<PlainGuest, UUID> {}

    @Table("old_row")
    record Old(
            @PrimaryKey UUID id,
            @Nullable String login,
            @Nullable ByteBuffer picture,
            @Nullable String name) {}

    @UniqueBy("login")
    @UniqueBy("picture")
    @UniqueBy(value = "name", name = "old_row.name.asked", normalisers = "noQuestions")
    interface Olds extends CassandraRepository<Old, UUID> {}

    @Table("pair_row")
    record Pair(
            @PrimaryKey UUID id,
            @Nullable String a,
            @Nullable String b) {}

    @UniqueBy(
            value = {"a", "b"},
            name = "pair_row.both")
    interface Pairs extends CassandraRepository<Pair, UUID>, OverwriteRepository<Pair> {}

    @OwnRepositories
    static class Application {

        @Bean
        UniqueNormaliser noQuestions() {
            return text -> {
                if (text.contains("?")) {
                    throw new IllegalStateException("questions have no name");
                }
                return text;
            };
        }
    }

    @BeforeAll
    static void start() {
        String columns = " (id uuid PRIMARY KEY, login text, note text) WITH default_time_to_live = " + TTL;
        session.execute("CREATE TABLE guest" + columns);
        session.execute("CREATE TABLE plain_guest" + columns);
        session.execute("CREATE TABLE old_row (id uuid PRIMARY KEY, login text, picture blob, name text)");
        session.execute("CREATE TABLE pair_row (id uuid PRIMARY KEY, a text, b text)");
        application = shared(List.of("surewrite.unique.lease=2s"), Application.class);
        guests = application.getBean(Guests.class);
        plain = application.getBean(PlainGuests.class);
        olds = application.getBean(Olds.class);
        pairs = application.getBean(Pairs.class);
    }

    private static Row row(String cql, Object... values) {
        return Objects.requireNonNull(session.execute(cql, values).one());
    }

    // ---- times to live

    @Test
    void anUnchangedSaveRefreshesTheTimeToLiveOfTheWholeRow() {
        for (String table : new String[] {"guest", "plain_guest"}) {
            session.execute(
                    "INSERT INTO " + table + " (id, login, note) VALUES (?, ?, 'before') USING TTL 100", id, login);
        }
        application.getBean(UniqueConstraints.class).repair("guest.login");

        guests.save(new Guest(id, login, "after"));
        plain.save(new PlainGuest(id, login, "after"));

        for (String table : new String[] {"guest", "plain_guest"}) {
            Row saved = row("SELECT note, TTL(login), TTL(note) FROM " + table + " WHERE id = ?", id);
            assertThat(saved.getString(0)).isEqualTo("after");
            assertThat(saved.getInt(1)).as(table).isBetween(TTL - 30, TTL);
            assertThat(saved.getInt(2)).as(table).isBetween(saved.getInt(1) - 1, saved.getInt(1) + 1);
        }
        assertThatThrownBy(() -> guests.insert(new Guest(UUID.randomUUID(), login, null)))
                .isInstanceOf(DuplicateValueException.class);
    }

    // ---- what was there before the constraint, and cannot be claimed

    private void insertUnclaimable(String which) {
        String text = "x".repeat(33_792);
        switch (which) {
            case "long" -> session.execute("INSERT INTO old_row (id, login) VALUES (?, ?)", id, text);
            case "blob" ->
                session.execute(
                        "INSERT INTO old_row (id, login, picture) VALUES (?, ?, ?)",
                        id,
                        login,
                        ByteBuffer.allocate(17_000));
            default ->
                session.execute("INSERT INTO old_row (id, login, name) VALUES (?, ?, ?)", id, login, "who? " + id);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"long", "blob", "throwing"})
    void aRowWithAnUnclaimableValueCanBeSavedWithAnother(String which) {
        insertUnclaimable(which);
        Old saved = new Old(id, login, ByteBuffer.wrap(login.getBytes(StandardCharsets.UTF_8)), "name " + id);
        olds.save(saved);
        assertThat(olds.findById(id)).contains(saved);
        assertThatThrownBy(() -> olds.insert(new Old(UUID.randomUUID(), login, null, null)))
                .isInstanceOf(DuplicateValueException.class);
        olds.deleteById(id);
        olds.insert(new Old(UUID.randomUUID(), login, null, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"long", "blob", "throwing"})
    void aRowWithAnUnclaimableValueCanBeDeleted(String which) {
        insertUnclaimable(which);
        olds.deleteById(id);
        assertThat(olds.existsById(id)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"long", "blob", "throwing"})
    void theDeletionOfAllPassesARowWithAnUnclaimableValue(String which) {
        insertUnclaimable(which);
        olds.insert(new Old(UUID.randomUUID(), "other " + login, null, null));
        olds.deleteAll();
        assertThat(olds.count()).isZero();
        olds.insert(new Old(UUID.randomUUID(), "other " + login, null, null));
    }

    @Test
    void onlyWhatIsWrittenIsRefused() {
        olds.insert(new Old(id, login, null, null));
        assertThatThrownBy(() -> olds.save(new Old(id, "x".repeat(33_792), null, null)))
                .isInstanceOf(UnclaimableValueException.class);
        assertThatThrownBy(() -> olds.save(new Old(id, login, ByteBuffer.allocate(17_000), null)))
                .isInstanceOf(UnclaimableValueException.class);
        assertThatThrownBy(() -> olds.save(new Old(id, login, null, "who?")))
                .hasStackTraceContaining("questions have no name");
        assertThat(olds.findById(id)).contains(new Old(id, login, null, null));
    }

    // ---- no write time ahead of the clock

    /** As plain writes lie below it, too. */
    @Test
    void nothingRisesAboveAClockThatIsDaysAhead() {
        pairs.insert(new Pair(id, "a " + id, "b"));
        long days = TimeUnit.DAYS.toMicros(9);
        long ahead = WriteTimestamps.of(session).next() + days;
        session.execute("INSERT INTO pair_row (id, a, b) VALUES (?, 'ahead', 'ahead') USING TIMESTAMP ?", id, ahead);
        session.execute("""
                INSERT INTO surewrite_claim (constraint_name, value, owner, claim_id, write_ts)
                VALUES (?, ?, ?, uuid(), ?) IF NOT EXISTS""", "row of " + keyspace.name() + ".pair_row", "36:" + id, "36:" + id, ahead);

        pairs.overwrite(new Pair(id, "c " + id, "d"));
        pairs.save(new Pair(id, "c " + id, "e"));
        pairs.deleteById(id);

        long written = row("SELECT WRITETIME(a) FROM pair_row WHERE id = ?", id).getLong(0);
        assertThat(written - WriteTimestamps.of(session).next()).isLessThanOrEqualTo(days);
        assertThat(session.execute("SELECT constraint_name, write_ts FROM surewrite_claim")
                        .all())
                .filteredOn(claim -> claim.getString(0).equals("pair_row.both"))
                .allSatisfy(claim -> assertThat(
                                claim.getLong(1) - WriteTimestamps.of(session).next())
                        .isLessThan(MARGIN));
    }
}
