package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.test.CassandraTest;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two encodings of a part of the primary key are one owner exactly where they lead to one row, on a real server. */
class KeyEncodingsIntegrationTests extends CassandraTest {

    private static final CqlIdentifier KEY = CqlIdentifier.fromInternal("k");

    @ParameterizedTest(name = "{0}: {1}, {2}")
    @CsvSource({
        "decimal, 000000010A, 0000000264",
        "decimal, 000000010A, 000000020A",
        "decimal, 000000010A, 00000001000A",
        "decimal, 00000000FF, 00000001F6",
        "decimal, 0000000000, 0000000700",
        "decimal, FFFFFFFE01, 0000000064",
        "varint, 01, 0001",
        "varint, FF, FFFF",
        "varint, 7F, FF",
        "boolean, 01, 02",
        "boolean, 01, FF",
        "boolean, 00, 01",
        "float, 7FC00000, 7FC00001",
        "float, 00000000, 80000000",
        "float, 3F800000, 3F800001",
        "double, 7FF8000000000000, FFF8000000000001",
        "double, 0000000000000000, 8000000000000000",
        "uuid, 00000000000010008000000000000000, 00000000000010008000000000000001",
        "timeuuid, 00000000000010008000000000000000, 00000000000010008000000000000080",
        "timestamp, 0000000000000001, 0000000000000002",
        "inet, 7F000001, 00000000000000000000FFFF7F000001",
        "text, 61CC81, C3A1",
        "blob, 00, 0000",
    })
    void areOneOwnerWhereTheyAreOneRow(String type, String one, String two) {
        assertOneOwnerWhereOneRow("CLUSTERING", "(other, k)", type, one, two);
        assertOneOwnerWhereOneRow("PARTITION", "(k, other)", type, one, two);
    }

    private static void assertOneOwnerWhereOneRow(String where, String key, String type, String one, String two) {
        String name = "keyed_" + UUID.randomUUID().toString().replace('-', '_');
        session.execute("CREATE TABLE %s (k %s, other int, login text, PRIMARY KEY %s)".formatted(name, type, key));
        TableMetadata table = session.refreshSchema()
                .getKeyspace(keyspace.name())
                .flatMap(found -> found.getTable(name))
                .orElseThrow();
        CqlRows rows = CqlRows.of(session, table, List.of(UniqueConstraint.on(name + ".login", "login")));
        String ownerOfOne = insert(rows, name, one);
        String ownerOfTwo = insert(rows, name, two);
        List<Row> found = session.execute("SELECT k, other FROM " + name).all();
        assertThat(ownerOfOne.equals(ownerOfTwo)).as(where).isEqualTo(found.size() == 1);
        assertThat(found)
                .as(where)
                .extracting(row -> rows.owner(column -> row.getBytesUnsafe(column.name())))
                .as("as a scan shows them")
                .isSubsetOf(ownerOfOne, ownerOfTwo)
                .doesNotHaveDuplicates();
        for (String owner : List.of(ownerOfOne, ownerOfTwo)) {
            assertThat(rows.read(owner).toCompletableFuture().join().exists())
                    .as(where)
                    .isTrue();
        }
    }

    private static String insert(CqlRows rows, String table, String hex) {
        ByteBuffer key = ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
        session.execute(session.prepare("INSERT INTO " + table + " (k, other, login) VALUES (?, 1, 'l')")
                .boundStatementBuilder()
                .setBytesUnsafe(0, key)
                .build());
        return rows.owner(column -> column.name().equals(KEY)
                ? key
                : ByteBuffer.allocate(Integer.BYTES).putInt(1).flip());
    }
}
