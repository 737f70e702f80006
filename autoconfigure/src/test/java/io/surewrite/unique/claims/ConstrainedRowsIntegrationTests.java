package io.surewrite.unique.claims;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.simulation.Patience;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.rows.ConstrainedTable;
import io.surewrite.unique.rows.CqlRows;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.springframework.data.cassandra.core.convert.MappingCassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/** The contract on a real server. */
class ConstrainedRowsIntegrationTests extends CassandraTest {

    private static TableMetadata metadata;
    private static ConstrainedTable table;

    @Table("constrained")
    record Entity(
            @PrimaryKey String key,
            @Nullable String c0,
            @Nullable String c1,
            @Nullable String c2) {}

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE IF NOT EXISTS constrained (key text PRIMARY KEY, c0 text, c1 text, c2 text)");
        metadata = session.getMetadata()
                .getKeyspace(keyspace.name())
                .flatMap(found -> found.getTable("constrained"))
                .orElseThrow();
        MappingCassandraConverter converter = new MappingCassandraConverter(new CassandraMappingContext());
        converter.setCodecRegistry(() -> session.getContext().getCodecRegistry());
        converter.afterPropertiesSet();
        table = ConstrainedTable.of(
                session,
                converter,
                converter.getMappingContext().getRequiredPersistentEntity(Entity.class),
                metadata,
                ConstrainedRowsContract.TWO.constraints());
    }

    @Nested
    class OnCassandra extends ConstrainedRowsContract {

        @Override
        ConstrainedRows rows(SimShape shape) {
            return shape.equals(TWO) ? table.rows() : CqlRows.of(session, metadata, shape.constraints());
        }

        @Override
        EntityWrite save(@Nullable String c0, @Nullable String c1, @Nullable String c2) {
            return table.overwrite(
                    new Entity(key, c0, c1, c2),
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
            return table.overwrite(new Entity(key, c0, c1, c2), timestamp -> {
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

        @Override
        Patience patience() {
            return Patience.REAL;
        }
    }
}
