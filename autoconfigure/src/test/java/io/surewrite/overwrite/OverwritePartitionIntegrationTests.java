package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.test.CassandraTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

class OverwritePartitionIntegrationTests extends CassandraTest {

    private static OverwriteFixture fixture;
    private static RowOverwrites overwrites;

    private final String cart = UUID.randomUUID().toString();

    @Table("item")
    record Item(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String cart,

            @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED)
            int position,

            String name,
            Set<String> tags,
            String owner) {}

    @BeforeAll
    static void createTables() {
        session.execute("""
                CREATE TABLE item (cart text, position int, name text, tags set<text>, owner text STATIC,
                PRIMARY KEY (cart, position))""");
        fixture = OverwriteFixture.on(session);
        overwrites = fixture.overwrites();
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
        assertThat(read()).isEqualTo(rows);
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
            assertThat(states).contains(read());
        }
        writer.join();
    }

    private List<Item> read() {
        return fixture.template().select("SELECT * FROM item WHERE cart = '" + cart + "'", Item.class);
    }
}
