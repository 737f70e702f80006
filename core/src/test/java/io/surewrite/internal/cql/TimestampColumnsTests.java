package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultColumnMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultTableMetadata;
import com.datastax.oss.driver.internal.core.type.UserDefinedTypeBuilder;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampColumnsTests {

    private static final CqlIdentifier NAME = CqlIdentifier.fromCql("c");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "timestamp",
                "list<timestamp>",
                "frozen<set<timestamp>>",
                "map<timestamp, int>",
                "map<int, timestamp>",
                "tuple<int, timestamp>",
                "vector<timestamp, 2>",
                "map<text, frozen<list<timestamp>>>",
                "'org.apache.cassandra.db.marshal.Unknown'"
            })
    void findsTimestampsHoweverDeep(String type) {
        assertThat(tableOf(TestSchema.type(type)).hasTimestamps()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "int",
                "text",
                "date",
                "time",
                "timeuuid",
                "frozen<address>",
                "set<int>",
                "map<text, int>",
                "tuple<int, text>"
            })
    void findsNoneWhereNoneIs(String type) {
        assertThat(tableOf(TestSchema.type(type)).hasTimestamps()).isFalse();
    }

    @Test
    void findsTimestampsInUserTypes() {
        DataType visit = new UserDefinedTypeBuilder(TestSchema.KEYSPACE, CqlIdentifier.fromCql("visit"))
                .withField("at", DataTypes.TIMESTAMP)
                .build();

        assertThat(tableOf(visit).hasTimestamps()).isTrue();
        assertThat(tableOf(DataTypes.listOf(visit)).hasTimestamps()).isTrue();
    }

    private static TargetTable tableOf(DataType type) {
        ColumnMetadata column = new DefaultColumnMetadata(TestSchema.KEYSPACE, NAME, NAME, type, false);
        return new TargetTable(new DefaultTableMetadata(
                TestSchema.KEYSPACE,
                NAME,
                UUID.randomUUID(),
                false,
                false,
                List.of(column),
                Map.of(),
                Map.of(NAME, column),
                Map.of(),
                Map.of()));
    }
}
