package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.InEachCell;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

@InEachCell(InEachCell.Subject.OVERWRITES)
class RowOverwritesIntegrationTests extends CassandraTest {

    private static OverwriteFixture fixture;
    private static RowOverwrites overwrites;

    private final UUID id = UUID.randomUUID();
    private final String cart = UUID.randomUUID().toString();

    @Table("gadget")
    record Gadget(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            UUID id,

            @PrimaryKeyColumn int part,
            @Column("Name") String name,
            Integer weight,
            Set<String> tags,
            Map<String, Integer> sizes,
            String owner) {

        static Gadget plain(UUID id, int part, String name, Integer weight) {
            return new Gadget(id, part, name, weight, null, null, null);
        }
    }

    @Table("slip")
    record Slip(@PrimaryKey UUID id, String one, String two) {}

    @Table("fading")
    record Fading(@PrimaryKey UUID id, String one) {}

    @Table("item")
    record Item(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String cart,

            @PrimaryKeyColumn int position,
            String name,
            Set<String> tags,
            String owner) {}

    @BeforeAll
    static void createTables() {
        session.execute("""
                CREATE TABLE gadget (id uuid, part int, "Name" text, weight int, tags set<text>, sizes map<text, int>,
                owner text STATIC, PRIMARY KEY (id, part))""");
        session.execute("CREATE TABLE slip (id uuid PRIMARY KEY, one text, two text)");
        session.execute("CREATE TABLE fading (id uuid PRIMARY KEY, one text) WITH default_time_to_live = 1000");
        session.execute("""
                CREATE TABLE item (cart text, position int, name text, tags set<text>, owner text STATIC,
                PRIMARY KEY (cart, position))""");
        fixture = OverwriteFixture.on(session);
        overwrites = fixture.overwrites();
    }

    @Test
    void leavesNothingOfTheOldRow() {
        overwrites.overwrite(new Gadget(id, 1, "old", 7, Set.of("a", "b"), Map.of("w", 1, "h", 2), null));

        overwrites.overwrite(new Gadget(id, 1, null, 8, Set.of("b", "c"), null, null));

        Row row = gadget(1);
        assertThat(row.getString("\"Name\"")).isNull();
        assertThat(row.getInt("weight")).isEqualTo(8);
        assertThat(row.getSet("tags", String.class)).containsExactlyInAnyOrder("b", "c");
        assertThat(row.getMap("sizes", String.class, Integer.class)).isEmpty();
    }

    @Test
    void leavesNoTombstoneThatReadersCount() {
        for (int i = 0; i < 3; i++) {
            overwrites.overwrite(new Slip(id, null, "two"));
        }
        assertThat(OverwriteFixture.tombstones(session, "SELECT * FROM slip WHERE id = ?", id))
                .isZero();

        UUID saved = UUID.randomUUID();
        fixture.template()
                .insert(
                        new Slip(saved, null, "two"),
                        InsertOptions.builder().withInsertNulls().build());
        assertThat(OverwriteFixture.tombstones(session, "SELECT * FROM slip WHERE id = ?", saved))
                .isOne();
    }

    @Test
    void keepsTheSiblingsAndTheStatics() {
        overwrites.overwrite(new Gadget(id, 1, "one", 1, Set.of("a"), null, "ann"));
        overwrites.overwrite(new Gadget(id, 2, "two", 2, Set.of("b"), null, null));

        overwrites.overwrite(Gadget.plain(id, 1, null, null));

        assertThat(gadget(1).getString("owner")).isEqualTo("ann");
        assertThat(gadget(2).getString("\"Name\"")).isEqualTo("two");
        assertThat(gadget(2).getSet("tags", String.class)).containsExactly("b");
    }

    @Test
    void changesNothingWhenItIsRepeatedAfterANewerOverwrite() {
        Gadget late = new Gadget(id, 1, "late", 7, Set.of("late"), Map.of("late", 1), null);
        WriteScope.at(1_000_000).call(() -> overwrites.overwrite(late));
        overwrites.overwrite(new Gadget(id, 1, null, 8, Set.of("new"), null, null));
        String newer = state();

        WriteScope.at(1_000_000).call(() -> overwrites.overwrite(late));

        assertThat(state()).isEqualTo(newer).doesNotContain("late");
    }

    @Test
    void expiresWhole() {
        overwrites.overwrite(new Gadget(id, 1, "for ever", 1, Set.of("for ever"), null, null));

        overwrites.overwrite(
                new Gadget(id, 1, null, 7, Set.of("a"), Map.of("w", 1), null),
                OverwriteOptions.none().withTtl(Duration.ofMillis(1500)));

        assertThat(gadget(1).getInt("weight")).isEqualTo(7);
        assertThat(session.execute("SELECT TTL(weight) FROM gadget WHERE id = ? AND part = 1", id)
                        .one()
                        .getInt(0))
                .isBetween(1, 2);
        Awaitility.await().untilAsserted(() -> assertThat(gadget(1)).isNull());
    }

    @Test
    void livesAsLongAsTheTableSaysUnlessToldOtherwise() {
        OverwriteOptions forEver = OverwriteOptions.none().withTtl(Duration.ZERO);
        Fading fading = new Fading(id, "one");

        overwrites.overwrite(fading);
        assertThat(fadingTtl()).isBetween(900, 1000);
        assertThat(isIdempotent(fading, OverwriteOptions.none()))
                .as("the default begins anew, too")
                .isFalse();
        assertThat(isIdempotent(fading, forEver)).isTrue();

        overwrites.overwrite(fading, forEver);
        assertThat(fadingTtl()).isNull();
    }

    @Test
    void replacesAllRowsAndTheStatics() {
        overwrites.overwritePartition(
                Item.class,
                cart,
                List.of(new Item(cart, 1, "a", Set.of("x"), "ann"), new Item(cart, 2, "b", null, null)));
        List<Item> rows = List.of(new Item(cart, 2, null, Set.of("y"), null), new Item(cart, 3, "c", null, null));

        List<Item> written = overwrites.overwritePartition(Item.class, cart, rows);

        assertThat(written).isEqualTo(rows);
        assertThat(items()).isEqualTo(rows);
        assertThat(OverwriteFixture.tombstones(session, "SELECT * FROM item WHERE cart = ?", cart))
                .isZero();
    }

    @Test
    void showsReadersAllOfOneStateOrAllOfAnother() {
        List<List<Item>> states = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            List<Item> rows = new ArrayList<>();
            for (int position = 0; position < (name.equals("a") ? 5 : 8); position++) {
                rows.add(new Item(cart, position, name, Set.of(name), null));
            }
            states.add(rows);
        }
        overwrites.overwritePartition(Item.class, cart, states.get(0));
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int i = 1; i <= 200; i++) {
                overwrites.overwritePartition(Item.class, cart, states.get(i % 2));
            }
        });

        while (!writer.isDone()) {
            assertThat(states).contains(items());
        }
        writer.join();
    }

    private static boolean isIdempotent(Object entity, OverwriteOptions options) {
        return fixture.factory()
                .planner
                .overwrite(entity, options, 1_000_000)
                .statement()
                .isIdempotent();
    }

    private Row gadget(int part) {
        return session.execute("SELECT * FROM gadget WHERE id = ? AND part = ?", id, part)
                .one();
    }

    /** Cassandra tells the times of several cells since 5.0. */
    private String state() {
        String several = keyspace.server().version().startsWith("4.") ? "" : ", WRITETIME(tags), WRITETIME(sizes)";
        return session.execute("""
                SELECT "Name", weight, tags, sizes, WRITETIME("Name"), WRITETIME(weight)%s
                FROM gadget WHERE id = ?""".formatted(several), id).one().getFormattedContents();
    }

    private Integer fadingTtl() {
        return session.execute("SELECT TTL(one) FROM fading WHERE id = ?", id)
                .one()
                .get(0, Integer.class);
    }

    private List<Item> items() {
        return fixture.template().select("SELECT * FROM item WHERE cart = '" + cart + "'", Item.class);
    }
}
