package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultColumnMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultTableMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.parsing.DataTypeCqlNameParser;
import com.datastax.oss.driver.internal.core.type.UserDefinedTypeBuilder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The tables of schema.cql as the driver would describe them, without a server. */
final class TestSchema implements TableLookup {

    static final CqlIdentifier KEYSPACE = CqlIdentifier.fromInternal("idem");

    private static final CqlIdentifier ADDRESS = CqlIdentifier.fromInternal("address");
    private static final Pattern TABLE = Pattern.compile(
            "CREATE TABLE (\"[^\"]+\"|\\w+) \\((.*)\\)( WITH default_time_to_live = (\\d+))?;", Pattern.DOTALL);
    private static final Pattern COLUMN =
            Pattern.compile("((?:\"(?:[^\"]|\"\")+\")|\\w+) (.+?)( static| PRIMARY KEY)?");

    private final Map<CqlIdentifier, TableMetadata> tables = new LinkedHashMap<>();

    TestSchema() {
        statements().forEach(statement -> {
            Matcher table = TABLE.matcher(statement);
            if (table.matches()) {
                add(CqlIdentifier.fromCql(table.group(1)), table.group(2), table.group(4));
            }
        });
    }

    static List<String> statements() {
        return Arrays.stream(Corpus.read("schema.cql").split("\n\n", -1))
                .map(String::strip)
                .toList();
    }

    TableMetadata table(String name) {
        return tables.get(CqlIdentifier.fromCql(name));
    }

    @Override
    public Optional<TableMetadata> findTable(@Nullable CqlIdentifier keyspace, CqlIdentifier table) {
        return keyspace == null || keyspace.equals(KEYSPACE)
                ? Optional.ofNullable(tables.get(table))
                : Optional.empty();
    }

    private void add(CqlIdentifier name, String body, @Nullable String ttl) {
        Map<CqlIdentifier, ColumnMetadata> columns = new LinkedHashMap<>();
        for (String part : body.split(",\n", -1)) {
            Matcher column = COLUMN.matcher(part.strip());
            if (!part.strip().startsWith("PRIMARY KEY") && column.matches()) {
                CqlIdentifier id = CqlIdentifier.fromCql(column.group(1));
                boolean isStatic = " static".equals(column.group(3));
                columns.put(id, new DefaultColumnMetadata(KEYSPACE, name, id, type(column.group(2)), isStatic));
            }
        }
        Map<CqlIdentifier, Object> options =
                Map.of(CqlIdentifier.fromInternal("default_time_to_live"), ttl == null ? 0 : Integer.parseInt(ttl));
        ColumnMetadata key = columns.values().iterator().next();
        tables.put(
                name,
                new DefaultTableMetadata(
                        KEYSPACE,
                        name,
                        UUID.randomUUID(),
                        false,
                        false,
                        List.of(key),
                        Map.of(),
                        columns,
                        options,
                        Map.of()));
    }

    static DataType type(String cql) {
        UserDefinedType address = new UserDefinedTypeBuilder(KEYSPACE, ADDRESS)
                .withField("street", DataTypes.TEXT)
                .withField("zip", DataTypes.INT)
                .build();
        return new DataTypeCqlNameParser().parse(KEYSPACE, cql, Map.of(ADDRESS, address), null);
    }
}
