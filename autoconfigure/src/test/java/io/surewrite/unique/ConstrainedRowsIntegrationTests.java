package io.surewrite.unique;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.simulation.Patience;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract on a real server. */
class ConstrainedRowsIntegrationTests extends CassandraTest {

    private static TableMetadata metadata;
    private static CqlRows table;

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE IF NOT EXISTS constrained (key text PRIMARY KEY, c0 text, c1 text, c2 text)");
        metadata = session.getMetadata()
                .getKeyspace(keyspace.name())
                .flatMap(found -> found.getTable("constrained"))
                .orElseThrow();
        table = CqlRows.of(session, metadata, ConstrainedRowsContract.TWO.constraints());
    }

    @Nested
    class OnCassandra extends ConstrainedRowsContract {

        @Override
        ConstrainedRows rows(SimShape shape) {
            return shape.equals(TWO) ? table : CqlRows.of(session, metadata, shape.constraints());
        }

        @Override
        EntityWrite save(@Nullable String c0, @Nullable String c1, @Nullable String c2) {
            return UniqueFixture.written(
                    table,
                    values(c0, c1, c2),
                    timestamp -> session.executeAsync(SimpleStatement.newInstance(
                                    "INSERT INTO constrained (key, c0, c1, c2) VALUES (?, ?, ?, ?) USING TIMESTAMP ?",
                                    key,
                                    c0,
                                    c1,
                                    c2,
                                    timestamp))
                            .thenAccept(done -> {}));
        }

        @Override
        EntityWrite overwrite(@Nullable String c0, @Nullable String c1, @Nullable String c2) {
            @Nullable String[] cells = {c0, c1, c2};
            return UniqueFixture.written(table, values(c0, c1, c2), timestamp -> {
                int[] present =
                        IntStream.range(0, 3).filter(i -> cells[i] != null).toArray();
                String columns = IntStream.of(present).mapToObj(i -> ", c" + i).collect(Collectors.joining());
                String values = IntStream.of(present)
                        .mapToObj(i -> ", '" + cells[i] + "'")
                        .collect(Collectors.joining());
                return session.executeAsync(SimpleStatement.newInstance(
                                """
                                BEGIN UNLOGGED BATCH
                                DELETE FROM constrained USING TIMESTAMP %2$d WHERE key = '%1$s';
                                INSERT INTO constrained (key%4$s) VALUES ('%1$s'%5$s) USING TIMESTAMP %3$d;
                                APPLY BATCH""".formatted(key, timestamp - 1, timestamp, columns, values)))
                        .thenAccept(done -> {});
            });
        }

        private Map<String, @Nullable Object> values(@Nullable String c0, @Nullable String c1, @Nullable String c2) {
            Map<String, @Nullable Object> values = new HashMap<>();
            values.put("key", key);
            values.put("c0", c0);
            values.put("c1", c1);
            values.put("c2", c2);
            return values;
        }

        @Override
        Patience patience() {
            return Patience.REAL;
        }
    }
}
