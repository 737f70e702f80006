package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.data.CqlVector;
import io.surewrite.overwrite.OverwriteException.Reason;
import io.surewrite.test.CassandraTest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.BasicMapId;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

class RefusedOverwritesIntegrationTests extends CassandraTest {

    private static final UUID ID = UUID.randomUUID();

    private static OverwriteFixture fixture;
    private static RowOverwrites overwrites;

    @Table("leaf")
    record Leaf(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String tree,

            @PrimaryKeyColumn UUID id,
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

            @PrimaryKeyColumn UUID id,
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

            @PrimaryKeyColumn int line,
            String text,
            String author) {}

    @Table("bag")
    record Bag(@PrimaryKey UUID id, Set<String> tags, CqlVector<Float> place) {}

    @Table("compact_rows")
    record CompactRow(@PrimaryKey String tree, String color) {}

    @Table("counted")
    record Counted(@PrimaryKey UUID id, @Version Long version) {}

    @Table("nowhere")
    record Nowhere(@PrimaryKey UUID id) {}

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE leaf (tree text, id uuid, color text, wood text STATIC, PRIMARY KEY (tree, id))");
        session.execute("CREATE TABLE playlist (id uuid PRIMARY KEY, songs list<text>)");
        session.execute("CREATE TABLE fading (page text, line int, text text, author text STATIC,"
                + " PRIMARY KEY (page, line)) WITH default_time_to_live = 1000");
        session.execute("CREATE TABLE bag (id uuid PRIMARY KEY, tags set<text>, place vector<float, 3>)");
        session.execute("CREATE TABLE visits (id uuid PRIMARY KEY, seen counter)");
        session.execute("CREATE TABLE counted (id uuid PRIMARY KEY, version bigint)");
        session.execute("CREATE TABLE compact_rows (tree text PRIMARY KEY, color text) WITH COMPACT STORAGE");
        fixture = OverwriteFixture.on(session);
        overwrites = fixture.overwrites();
    }

    @AfterEach
    void nothingWasSent() {
        assertThat(session.execute("SELECT * FROM leaf WHERE tree = 'oak'").all())
                .isEmpty();
        assertThat(session.execute("SELECT * FROM playlist").all()).isEmpty();
        assertThat(session.execute("SELECT * FROM bag").all()).isEmpty();
    }

    static Stream<Arguments> refusals() {
        Leaf leaf = leaf(ID, "green", null);
        Fading fading = new Fading("a", 1, "x", "y");
        String large = "x".repeat(600_000);
        return Stream.of(
                one(Reason.NULL_ENTITY, "entity is null", null),
                all(Reason.NULL_ENTITY, "entity is null", leaf, null),
                partition(Reason.NULL_ENTITY, "entity is null", "oak", leaf, null),
                one(Reason.MISSING_KEY, "no value for id of the primary key", leaf(null, "green", null)),
                all(Reason.MISSING_KEY, "no value for id", leaf, leaf(null, "green", null)),
                one(Reason.MISSING_KEY, "no value for tree", new Leaf(null, ID, "green", null)),
                one(Reason.MISSING_KEY, "empty partition key", new Leaf("", ID, "green", null)),
                partition(Reason.MISSING_KEY, "empty partition key", ""),
                partition(Reason.MISSING_KEY, "no value for tree", BasicMapId.id("wood", "hard")),
                partition(Reason.FOREIGN_ROW, "another partition key", "oak", leaf, new Leaf("elm", ID, "green", null)),
                partition(Reason.UNSUPPORTED, "same row of", "oak", leaf, leaf(ID, "red", null)),
                partition(
                        Reason.UNSUPPORTED,
                        "static column wood",
                        "oak",
                        leaf(ID, "green", "hard"),
                        leaf(UUID.randomUUID(), "red", "soft")),
                one(
                        Reason.INVALID_VALUE,
                        ".bag, which is set<text>, cannot hold the value given",
                        new Bag(ID, new HashSet<>(Arrays.asList("a", null)), null)),
                all(
                        Reason.INVALID_VALUE,
                        "Column place",
                        new Bag(ID, null, null),
                        new Bag(ID, null, CqlVector.newInstance(1f, 2f))),
                one(Reason.NON_FROZEN_LIST, "Column songs", new Playlist(ID, List.of("a"))),
                one(Reason.TOO_LARGE, "max-size allows 1048576", leaf(ID, large + large, null)),
                partition(
                        Reason.TOO_LARGE,
                        "max-size allows 1048576",
                        "oak",
                        leaf(ID, large, null),
                        leaf(UUID.randomUUID(), large, null)),
                one(Reason.UNSUPPORTED, "The default_time_to_live would also end the static columns", fading),
                one(Reason.UNSUPPORTED, "counters", new Visits(ID, 1)),
                one(Reason.UNSUPPORTED, "maps the column colour", new Typo("oak", ID, "green")),
                one(Reason.UNSUPPORTED, "does not map id of the primary key", new Keyless("oak", "green")),
                one(Reason.UNSUPPORTED, "knows no table", new Nowhere(ID)),
                one(Reason.UNSUPPORTED, "DROP COMPACT STORAGE", new CompactRow("oak", null)),
                refusal(
                        Reason.UNSUPPORTED,
                        "one by one",
                        () -> overwrites.overwritePartition(Counted.class, ID, List.of(new Counted(ID, null)))));
    }

    private static Arguments one(Reason reason, String message, Object entity) {
        return refusal(reason, message, () -> overwrites.overwrite(entity));
    }

    private static Arguments all(Reason reason, String message, Object... entities) {
        return refusal(reason, message, () -> overwrites.overwriteAll(Arrays.asList(entities)));
    }

    private static Arguments partition(Reason reason, String message, Object key, Leaf... rows) {
        return refusal(reason, message, () -> overwrites.overwritePartition(Leaf.class, key, Arrays.asList(rows)));
    }

    private static Arguments refusal(Reason reason, String message, ThrowingCallable call) {
        return Arguments.of(reason, message, call);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("refusals")
    void refusesWhatIsNoWholeRow(Reason reason, String message, ThrowingCallable call) {
        refused(reason, call).withMessageContaining(message);
    }

    @Test
    void aTimeToLiveThatWouldEndWhatThePartitionShares() {
        OverwriteOptions fading = OverwriteOptions.none().withTtl(Duration.ofSeconds(5));
        refused(Reason.UNSUPPORTED, () -> overwrites.overwrite(leaf(ID, "red", "hard"), fading))
                .withMessageContaining("static columns");
        refused(
                        Reason.UNSUPPORTED,
                        () -> overwrites.overwritePartition(
                                Leaf.class, "oak", List.of(leaf(ID, "red", "hard")), fading))
                .withMessageContaining("leave them null");
    }

    private static ThrowableAssertAlternative<OverwriteException> refused(Reason reason, ThrowingCallable call) {
        return assertThatExceptionOfType(OverwriteException.class)
                .isThrownBy(call)
                .withMessageContaining(" Fix: ")
                .matches(refused -> refused.reason() == reason, reason.name());
    }

    private static Leaf leaf(UUID id, String color, String wood) {
        return new Leaf("oak", id, color, wood);
    }
}
