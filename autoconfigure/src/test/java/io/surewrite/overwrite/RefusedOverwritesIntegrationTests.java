package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.data.CqlVector;
import io.surewrite.overwrite.OverwriteException.Reason;
import io.surewrite.overwrite.Overwrites.OverwriteSettings;
import io.surewrite.test.CassandraTest;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.BasicMapId;
import org.springframework.data.cassandra.core.mapping.Frozen;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;

class RefusedOverwritesIntegrationTests extends CassandraTest {

    private static OverwriteFixture fixture;
    private static RowOverwrites overwrites;

    private final UUID id = UUID.randomUUID();

    @Table("leaf")
    record Leaf(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String tree,

            @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED)
            UUID id,

            String color,
            String wood) {}

    @Table("playlist")
    record Playlist(@PrimaryKey UUID id, List<String> songs) {}

    @Table("visits")
    record Visits(@PrimaryKey UUID id, long seen) {}

    @Table("leaf")
    record Typo(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String tree,

            @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED)
            UUID id,

            String colour) {}

    @Table("leaf")
    record Keyless(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String tree,

            String color) {}

    @Table("fading")
    record Fading(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String page,

            @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED)
            int line,

            String text,
            String author) {}

    @Table("bag")
    record Bag(
            @PrimaryKey UUID id,
            Set<String> tags,
            Map<String, String> names,
            @Frozen List<String> notes,
            CqlVector<Float> place) {

        Bag withTags(Set<String> other) {
            return new Bag(id, other, names, notes, place);
        }

        Bag withNames(Map<String, String> other) {
            return new Bag(id, tags, other, notes, place);
        }

        Bag withNotes(List<String> other) {
            return new Bag(id, tags, names, other, place);
        }

        Bag withPlace(CqlVector<Float> other) {
            return new Bag(id, tags, names, notes, other);
        }
    }

    @Table("compact")
    record Compact(@PrimaryKey UUID id, String name) {}

    @Table("compact_rows")
    record CompactRow(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String tree,

            @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED)
            int leaf,

            String color) {}

    @Table("compact_keys")
    record CompactKey(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String tree,

            @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED)
            int leaf) {}

    @Table("nowhere")
    record Nowhere(@PrimaryKey UUID id) {}

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE leaf (tree text, id uuid, color text, wood text STATIC, PRIMARY KEY (tree, id))");
        session.execute("CREATE TABLE playlist (id uuid PRIMARY KEY, songs list<text>)");
        session.execute("CREATE TABLE fading (page text, line int, text text, author text STATIC,"
                + " PRIMARY KEY (page, line)) WITH default_time_to_live = 1000");
        session.execute("CREATE TABLE bag (id uuid PRIMARY KEY, tags set<text>, names map<text, text>,"
                + " notes frozen<list<text>>, place vector<float, 3>)");
        session.execute("CREATE TABLE visits (id uuid PRIMARY KEY, seen counter)");
        session.execute("CREATE TABLE compact (id uuid PRIMARY KEY, name text) WITH COMPACT STORAGE");
        session.execute("CREATE TABLE compact_rows (tree text, leaf int, color text, PRIMARY KEY (tree, leaf))"
                + " WITH COMPACT STORAGE");
        session.execute(
                "CREATE TABLE compact_keys (tree text, leaf int, PRIMARY KEY (tree, leaf)) WITH COMPACT STORAGE");
        fixture = OverwriteFixture.on(session);
        overwrites = fixture.overwrites();
    }

    @AfterEach
    void nothingWasSent() {
        assertThat(session.execute("SELECT * FROM leaf WHERE tree = 'oak'").all())
                .isEmpty();
        assertThat(session.execute("SELECT * FROM playlist").all()).isEmpty();
    }

    @Test
    void refusesNoEntityAtAll() {
        List<Leaf> withNull = Arrays.asList(new Leaf("oak", id, "green", null), null);
        refused(Reason.NULL_ENTITY, () -> overwrites.overwrite(null)).withMessageContaining("entity is null");
        refused(Reason.NULL_ENTITY, () -> overwrites.overwriteAll(withNull));
        refused(Reason.NULL_ENTITY, () -> overwrites.overwritePartition(Leaf.class, "oak", withNull));
    }

    /** The driver hides columns of theirs: it would be looked for ever until it shows them. */
    @Test
    void refusesCompactStorage() {
        for (Object row : List.of(new Compact(id, null), new CompactRow("oak", 1, null), new CompactKey("oak", 1))) {
            refused(Reason.UNSUPPORTED, () -> overwrites.overwrite(row))
                    .withMessageContaining("COMPACT STORAGE")
                    .withMessageContaining("DROP COMPACT STORAGE");
        }
    }

    @Test
    void callsNoCallbackBeforeAllEntitiesAreThere() {
        Failing failing = new Failing();
        StaticApplicationContext context = new StaticApplicationContext();
        context.getBeanFactory().registerSingleton("failing", failing);
        context.refresh();
        RowOverwrites withCallback = OverwriteFixture.on(
                        session,
                        OverwriteFixture.SETTINGS,
                        new WriteTimestamps(Clock.systemUTC()),
                        context,
                        table -> {})
                .overwrites();
        Leaf leaf = new Leaf("oak", id, "green", null);
        List<Leaf> withNull = Arrays.asList(leaf, null);

        refused(Reason.NULL_ENTITY, () -> withCallback.overwriteAll(withNull));
        refused(Reason.NULL_ENTITY, () -> withCallback.overwritePartition(Leaf.class, "oak", withNull));
        assertThat(failing.called).isZero();

        assertThatExceptionOfType(DriverTimeoutException.class).isThrownBy(() -> withCallback.overwrite(leaf));
        assertThat(failing.called).isOne();
    }

    private static final class Failing implements BeforeConvertCallback<Leaf> {

        private int called;

        @Override
        public Leaf onBeforeConvert(Leaf entity, CqlIdentifier table) {
            called++;
            throw new DriverTimeoutException("of another query");
        }
    }

    @Test
    void refusesValuesThatTheirColumnsCannotHold() {
        Bag full = new Bag(id, null, null, null, null);
        Set<String> withNull = new HashSet<>(Arrays.asList("a", null));
        Map<String, String> withNullValue = new HashMap<>();
        withNullValue.put("a", null);
        refused(Reason.INVALID_VALUE, () -> overwrites.overwrite(full.withTags(withNull)))
                .withMessageContaining("Column tags of " + keyspace.name() + ".bag, which is set<text>")
                .withMessageContaining("collections hold no nulls");
        refused(Reason.INVALID_VALUE, () -> overwrites.overwrite(full.withNames(withNullValue)))
                .withMessageContaining("Column names");
        refused(Reason.INVALID_VALUE, () -> overwrites.overwrite(full.withNotes(Arrays.asList("a", null))))
                .withMessageContaining("Column notes");
        refused(
                        Reason.INVALID_VALUE,
                        () -> overwrites.overwriteAll(List.of(full, full.withPlace(CqlVector.newInstance(1f, 2f)))))
                .withMessageContaining("Column place")
                .withMessageContaining("3");
        assertThat(session.execute("SELECT * FROM bag").all()).isEmpty();
    }

    @Test
    void refusesStaticsThatTheTablesDefaultWouldEnd() {
        Fading fading = new Fading("a", 1, "x", "y");
        refused(Reason.UNSUPPORTED, () -> overwrites.overwrite(fading))
                .withMessageContaining("The default_time_to_live would also end the static columns");
        refused(Reason.UNSUPPORTED, () -> overwrites.overwritePartition(Fading.class, "a", List.of(fading)));
        overwrites.overwrite(fading, OverwriteOptions.none().withTtl(Duration.ZERO));
        overwrites.overwrite(new Fading("a", 2, "x", null));
        assertThat(session.execute("SELECT TTL(text) FROM fading WHERE page = 'a'")
                        .all())
                .extracting(row -> row.isNull(0))
                .containsExactly(true, false);
    }

    @Test
    void refusesAnEntityWithoutAPrimaryKeyValue() {
        refused(Reason.MISSING_KEY, () -> overwrites.overwrite(new Leaf("oak", null, "green", null)))
                .withMessageContaining("no value for id of the primary key");
        refused(Reason.MISSING_KEY, () -> overwrites.overwrite(new Leaf(null, id, "green", null)))
                .withMessageContaining("no value for tree");
        refused(Reason.MISSING_KEY, () -> overwrites.overwrite(new Leaf("", id, "green", null)))
                .withMessageContaining("is empty");
    }

    @Test
    void refusesAllRowsIfOneIsWrong() {
        refused(
                Reason.MISSING_KEY,
                () -> overwrites.overwriteAll(
                        List.of(new Leaf("oak", id, "green", null), new Leaf("oak", null, "green", null))));
    }

    @Test
    void refusesRowsOfAnotherPartition() {
        refused(
                        Reason.FOREIGN_ROW,
                        () -> overwrites.overwritePartition(
                                Leaf.class,
                                "oak",
                                List.of(new Leaf("oak", id, "green", null), new Leaf("elm", id, "green", null))))
                .withMessageContaining("another partition key");
    }

    @Test
    void refusesAPartitionWithoutItsKey() {
        refused(Reason.MISSING_KEY, () -> overwrites.overwritePartition(Leaf.class, "", List.of()));
        refused(
                        Reason.MISSING_KEY,
                        () -> overwrites.overwritePartition(Leaf.class, BasicMapId.id("wood", "hard"), List.of()))
                .withMessageContaining("which are tree");
    }

    @Test
    void refusesRowsOfOnePartitionThatContradictEachOther() {
        refused(
                        Reason.UNSUPPORTED,
                        () -> overwrites.overwritePartition(
                                Leaf.class,
                                "oak",
                                List.of(new Leaf("oak", id, "green", null), new Leaf("oak", id, "red", null))))
                .withMessageContaining("same primary key");
        refused(
                        Reason.UNSUPPORTED,
                        () -> overwrites.overwritePartition(
                                Leaf.class,
                                "oak",
                                List.of(
                                        new Leaf("oak", id, "green", "hard"),
                                        new Leaf("oak", UUID.randomUUID(), "red", "soft"))))
                .withMessageContaining("static column wood");
    }

    @Test
    void refusesTimestampsThatAreNotPositiveOrInTheFuture() {
        Leaf leaf = new Leaf("oak", id, "green", null);
        long tomorrow = Instant.now().plus(Duration.ofDays(1)).toEpochMilli() * 1000;

        for (long wrong : new long[] {-1, 0, Long.MIN_VALUE}) {
            refused(
                            Reason.INVALID_TIMESTAMP,
                            () -> overwrites.overwrite(
                                    leaf, OverwriteOptions.none().withTimestamp(wrong)))
                    .withMessageContaining("not positive");
        }
        for (long wrong : new long[] {tomorrow, Long.MAX_VALUE}) {
            refused(
                            Reason.INVALID_TIMESTAMP,
                            () -> overwrites.overwrite(
                                    leaf, OverwriteOptions.none().withTimestamp(wrong)))
                    .withMessageContaining("in the future");
            refused(
                    Reason.INVALID_TIMESTAMP,
                    () -> overwrites.overwritePartition(
                            Leaf.class,
                            "oak",
                            List.of(leaf),
                            OverwriteOptions.none().withTimestamp(wrong)));
        }
    }

    @Test
    void refusesATimeToLiveThatCassandraCannotKeep() {
        Leaf leaf = new Leaf("oak", id, "green", null);

        for (Duration wrong : List.of(Duration.ofSeconds(-1), Duration.ofDays(7301))) {
            refused(
                    Reason.UNSUPPORTED,
                    () -> overwrites.overwrite(leaf, OverwriteOptions.none().withTtl(wrong)));
        }
    }

    @Test
    void refusesNonFrozenListsUnlessAllowed() {
        Playlist playlist = new Playlist(id, List.of("a"));

        refused(Reason.NON_FROZEN_LIST, () -> overwrites.overwrite(playlist))
                .withMessageContaining("Column songs")
                .withMessageContaining("duplicate the elements")
                .withMessageContaining("surewrite.overwrite.allow-lists=true");

        OverwriteFixture allowing = OverwriteFixture.on(session, new OverwriteSettings(1000, true, true));
        allowing.overwrites().overwrite(new Playlist(id, List.of("x", "y")));
        allowing.overwrites().overwrite(playlist);
        assertThat(fixture.template().selectOneById(id, Playlist.class)).isEqualTo(playlist);
        OverwritePlan plan = allowing.factory().planner.overwrite(playlist, OverwriteOptions.none(), 1);
        assertThat(plan.statement().isIdempotent()).isFalse();
        session.execute("TRUNCATE playlist");
    }

    @Test
    void refusesWhatIsTooLargeForOneMutation() {
        String large = "x".repeat(600_000);
        refused(Reason.TOO_LARGE, () -> overwrites.overwrite(new Leaf("oak", id, large + large, null)))
                .withMessageContaining("1200019 bytes")
                .withMessageContaining("surewrite.overwrite.max-size allows 1048576");
        refused(
                Reason.TOO_LARGE,
                () -> overwrites.overwritePartition(
                        Leaf.class,
                        "oak",
                        List.of(new Leaf("oak", id, large, null), new Leaf("oak", UUID.randomUUID(), large, null))));
    }

    @Test
    void refusesTwoEntitiesForOneRowWithOneTimestamp() {
        List<Leaf> twice = List.of(new Leaf("oak", id, "green", null), new Leaf("oak", id, "red", null));

        refused(Reason.UNSUPPORTED, () -> WriteScope.at(1_000_000).call(() -> overwrites.overwriteAll(twice)))
                .withMessageContaining("same row");
    }

    @Test
    void refusesTablesThatItCannotOverwrite() {
        refused(Reason.UNSUPPORTED, () -> overwrites.overwrite(new Visits(id, 1)))
                .withMessageContaining("counters");
        refused(Reason.UNSUPPORTED, () -> overwrites.overwrite(new Typo("oak", id, "green")))
                .withMessageContaining("maps the column colour");
        refused(Reason.UNSUPPORTED, () -> overwrites.overwrite(new Keyless("oak", "green")))
                .withMessageContaining("does not map id of the primary key");
        refused(Reason.UNSUPPORTED, () -> overwrites.overwrite(new Nowhere(id)))
                .withMessageContaining("knows no table");
    }

    @Test
    void aTimeToLiveThatWouldEndWhatThePartitionShares() {
        OverwriteOptions fading = OverwriteOptions.none().withTtl(Duration.ofSeconds(5));
        refused(Reason.UNSUPPORTED, () -> overwrites.overwrite(new Leaf("oak", id, "red", "hard"), fading))
                .withMessageContaining("static columns");
        refused(
                        Reason.UNSUPPORTED,
                        () -> overwrites.overwritePartition(
                                Leaf.class, "oak", List.of(new Leaf("oak", id, "red", "hard")), fading))
                .withMessageContaining("leave them null");
    }

    private static org.assertj.core.api.ThrowableAssertAlternative<OverwriteException> refused(
            Reason reason, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return assertThatExceptionOfType(OverwriteException.class)
                .isThrownBy(call)
                .withMessageContaining(" Fix: ")
                .matches(refused -> refused.reason() == reason, reason.name());
    }
}
