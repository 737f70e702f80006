package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.test.CassandraTest;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/** All overwrites of a scope carry one timestamp, so that two of one row would mix. */
class OverwritesInOneScopeIntegrationTests extends CassandraTest {

    private static OverwriteFixture fixture;
    private static RowOverwrites overwrites;

    private final String tree = "tree-" + UUID.randomUUID();
    private final WriteScope scope = WriteScope.at(1_000_000);

    @Table("leaf")
    record Leaf(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String tree,

            @PrimaryKeyColumn int number,
            @Nullable String color,
            @Nullable String size,
            @Nullable String wood) {}

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE leaf (tree text, number int, color text, size text, wood text STATIC,"
                + " PRIMARY KEY (tree, number))");
        fixture = OverwriteFixture.on(session);
        overwrites = fixture.overwrites();
    }

    @Test
    void refusesAnotherRowInThePlaceOfTheFirst() {
        Leaf first = leaf(1, "red", "big");
        scope.call(() -> overwrites.overwrite(first));

        refused(() -> overwrites.overwrite(leaf(1, "green", null))).withMessageContaining("same row");
        refused(() -> overwrites.overwriteAll(List.of(leaf(2, "red", null), leaf(1, "green", null))));
        refused(() -> overwrites.overwrite(first, OverwriteOptions.none().withTtl(Duration.ofHours(1))));
        assertThat(rows()).containsExactly(first);
    }

    @Test
    void letsTheSameRowPassAgainAndAnyOther() {
        Leaf leaf = leaf(1, "red", null);
        scope.call(() -> overwrites.overwrite(leaf));
        scope.call(() -> overwrites.overwrite(leaf));
        scope.call(() -> overwrites.overwriteAll(List.of(leaf, leaf(2, "red", null))));
        WriteScope.at(1_000_010).call(() -> overwrites.overwrite(leaf(1, "blue", null)));
        assertThat(rows()).containsExactly(leaf(1, "blue", null), leaf(2, "red", null));
    }

    @Test
    void letsTheNextAttemptWriteAnotherRow() {
        scope.call(() -> overwrites.overwrite(leaf(1, "at 10:00", null)));
        scope.attemptStarted();
        scope.call(() -> overwrites.overwrite(leaf(1, "at 10:01", null)));
        assertThat(rows()).containsExactly(leaf(1, "at 10:01", null));
    }

    @Test
    void refusesToReplaceAPartitionOverWhatItHasWrittenThere() {
        scope.call(() -> overwrites.overwrite(leaf(1, "red", null)));
        refused(() -> overwrites.overwritePartition(Leaf.class, tree, List.of(leaf(2, "red", null))))
                .withMessageContaining("would survive");
        refused(() -> overwrites.overwritePartition(Leaf.class, tree, List.of(leaf(1, "green", null))));
        scope.call(() ->
                overwrites.overwritePartition(Leaf.class, tree, List.of(leaf(1, "red", null), leaf(2, "red", null))));
        refused(() -> overwrites.overwrite(leaf(2, "green", null)));
        scope.call(() -> overwrites.overwrite(leaf(3, "green", null)));
        assertThat(rows()).extracting(Leaf::number).containsExactly(1, 2, 3);
    }

    @Test
    void refusesContradictingStatics() {
        Leaf hard = new Leaf(tree, 1, "red", null, "hard");
        Leaf soft = new Leaf(tree, 2, "red", null, "soft");
        assertThatExceptionOfType(OverwriteException.class)
                .isThrownBy(() -> overwrites.overwriteAll(List.of(hard, soft)))
                .withMessageContaining("static column wood");
        assertThat(rows()).as("nothing was sent").isEmpty();

        scope.call(() -> overwrites.overwrite(hard));
        refused(() -> overwrites.overwrite(soft)).withMessageContaining("static column wood");
        refused(() -> overwrites.overwritePartition(Leaf.class, tree, List.of(leaf(1, "red", null), soft)));
        overwrites.overwrite(soft, OverwriteOptions.none());
        assertThat(rows()).extracting(Leaf::wood).containsOnly("soft");
    }

    private org.assertj.core.api.ThrowableAssertAlternative<OverwriteException> refused(
            java.util.function.Supplier<?> overwrite) {
        return assertThatExceptionOfType(OverwriteException.class).isThrownBy(() -> scope.call(overwrite::get));
    }

    private Leaf leaf(int number, String color, @Nullable String size) {
        return new Leaf(tree, number, color, size, null);
    }

    private List<Leaf> rows() {
        return fixture.template().select("SELECT * FROM leaf WHERE tree = '" + tree + "'", Leaf.class);
    }
}
