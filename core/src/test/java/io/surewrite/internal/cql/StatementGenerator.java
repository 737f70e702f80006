package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Writes random statements after Cassandra's grammar, most of which a server would run. */
final class StatementGenerator {

    /** A type, and values of it. */
    private static final Map<String, List<String>> VALUES = """
            int | 1 | 2 | -3 | blobAsInt(0x00000001)
            bigint | 7 | -7 | blob_as_bigint(bigint_as_blob(3)) | toUnixTimestamp(now())
            text | 'a' | 'z' | '' | 'it''s' | $$now()$$ | CAST(3 AS text) | CAST(uuid() AS text) | toJson(1) | \
            'now' | '; --'
            uuid | 550e8400-e29b-41d4-a716-446655440000 | uuid() | UUID ( )
            timeuuid | 9d8fa120-f6f5-11ea-8080-808080808080 | minTimeuuid('2020-01-01T00:00:00Z') | now() | \
            "now"() | system.now() | current_timeuuid() | maxTimeuuid('now')
            timestamp | '2019-01-01T00:00:00Z' | 1577934245678 | 'now' | currentTimestamp() | to_timestamp(now()) | \
            $$NOW$$ | fromJson('"now"')
            date | '2020-01-02' | toDate(9d8fa120-f6f5-11ea-8080-808080808080)
            time | '08:12:54.1' | current_time()
            blob | 0xCAFE | 0x | textAsBlob('x') | timeuuid_as_blob(now())
            boolean | true | false | TRUE
            double | 1.5 | -1e3 | NaN | -Infinity
            decimal | 3.14 | -2.50
            duration | 1h30m | P1Y2M | PT5S | -2d
            inet | '127.0.0.1'
            vector<float, 3> | [0.1, 0.2, 0.3]
            frozen<tuple<int, text>> | (1, 'a') | (?, ?) | (1, CAST(now() AS text))
            set<text> | {'a'} | {'a', 'b'} | {} | {CAST(uuid() AS text)}
            set<int> | {1} | {2, 3} | {}
            frozen<set<text>> | {'a'} | {}
            map<text, int> | {'a': 1} | {'b': 2, 'c': 3} | {}
            frozen<map<text, int>> | {'a': 1} | {}
            list<text> | ['a'] | ['b', 'c'] | []
            list<int> | [1] | []
            frozen<list<text>> | ['a'] | [] | ['b', 'b']
            map<text, frozen<list<int>>> | {'a': [1, 2]} | {}
            list<frozen<address>> | [{street: 'x', zip: 1}] | []
            set<timestamp> | {'2019-01-01T00:00:00Z'} | {'now'} | {currentTimestamp()}
            address | {street: 'x', zip: 1} | {zip: 2} | {street: CAST(uuid() AS text)}
            frozen<address> | {street: 'x'} | {street: 'y', zip: 3}
            """.lines()
            .map(line -> List.of(line.split(" \\| ", -1)))
            .collect(Collectors.toMap(line -> line.get(0), line -> line.subList(1, line.size())));

    private final Random random;
    private final List<TableMetadata> tables;

    StatementGenerator(Random random, TestSchema schema) {
        this.random = random;
        this.tables = List.of(
                schema.table("plain"),
                schema.table("colls"),
                schema.table("colls"),
                schema.table("expiring"),
                schema.table("docs"),
                schema.table("events"),
                schema.table("ticks"));
    }

    String next() {
        String statement = random.nextInt(8) == 0 ? batch() : write();
        return disguise(random.nextInt(4) == 0 ? statement + ";" : statement);
    }

    private String batch() {
        String writes = random.ints(1 + random.nextInt(3), 0, 2)
                .mapToObj(separator -> write() + (separator == 0 ? " " : "; "))
                .collect(Collectors.joining());
        return "BEGIN " + pick("", "UNLOGGED ") + "BATCH " + (chance(6) ? "USING TIMESTAMP 1500 " : "") + writes
                + "APPLY BATCH";
    }

    private String write() {
        TableMetadata table = pick(tables);
        return switch (random.nextInt(3)) {
            case 0 -> insert(table);
            case 1 -> update(table);
            default -> delete(table);
        };
    }

    private String insert(TableMetadata table) {
        List<ColumnMetadata> columns = new ArrayList<>(keys(table));
        columns.addAll(some(values(table)));
        String names = columns.stream().map(StatementGenerator::name).collect(Collectors.joining(", "));
        String terms = columns.stream()
                .map(column -> keys(table).contains(column) ? key(column) : term(column))
                .collect(Collectors.joining(", "));
        return "INSERT INTO %s (%s) VALUES (%s)%s%s"
                .formatted(name(table), names, terms, chance(25) ? " IF NOT EXISTS" : "", using());
    }

    private String update(TableMetadata table) {
        String changes = some(values(table)).stream().map(this::change).collect(Collectors.joining(", "));
        return "UPDATE %s%s SET %s WHERE %s%s"
                .formatted(name(table), using(), changes, where(table, false), chance(25) ? " IF EXISTS" : "");
    }

    private String delete(TableMetadata table) {
        boolean columns = chance(2);
        String names = columns
                ? some(values(table)).stream()
                        .map(column -> name(column) + element(column))
                        .collect(Collectors.joining(", "))
                : "";
        return "DELETE %s FROM %s%s WHERE %s%s"
                .formatted(
                        names,
                        name(table),
                        chance(8) ? " USING TIMESTAMP 1200" : "",
                        where(table, !columns),
                        chance(25) ? " IF EXISTS" : "");
    }

    private String change(ColumnMetadata column) {
        String name = name(column);
        String term = term(column);
        return switch (random.nextInt(7)) {
            case 0 -> name + " = " + name + pick(" + ", " - ") + term;
            case 1 -> name + pick(" += ", " -= ") + term;
            case 2 -> name + " = " + term + " + " + name;
            case 3 -> name + element(column) + " = " + pick("1", "'a'", "?", "null");
            default -> name + " = " + term;
        };
    }

    private String element(ColumnMetadata column) {
        String type = typeOf(column);
        if (type.startsWith("list")) {
            return pick("", "[0]", "[?]");
        } else if (type.startsWith("set") || type.startsWith("map")) {
            return pick("", "['a']", "[?]", "[CAST(now() AS text)]");
        }
        return type.equals("address") ? pick("", ".street", ".zip") : "";
    }

    private String using() {
        if (chance(2)) {
            return "";
        }
        return pick(
                " USING TTL 0",
                " USING TTL 60",
                " USING TIMESTAMP 1100",
                " USING TIMESTAMP ?",
                " USING TIMESTAMP ? AND TTL 0",
                " USING TTL ?",
                " USING TTL 0 AND TIMESTAMP 1300");
    }

    private String where(TableMetadata table, boolean ranges) {
        return keys(table).stream()
                .map(key ->
                        name(key) + operator(ranges && !key.equals(keys(table).get(0)), key))
                .collect(Collectors.joining(" AND "));
    }

    private String operator(boolean range, ColumnMetadata key) {
        return switch (random.nextInt(6)) {
            case 0 -> " IN (" + key(key) + ", " + key(key) + ")";
            case 1 -> range ? pick(" < ", " > ", " <= ", " >= ") + key(key) : " IN ?";
            default -> " = " + key(key);
        };
    }

    private String term(ColumnMetadata column) {
        return chance(12) ? "null" : key(column);
    }

    private String key(ColumnMetadata column) {
        return chance(4) ? "?" : pick(VALUES.get(typeOf(column)));
    }

    private static String typeOf(ColumnMetadata column) {
        return column.getType()
                .asCql(true, true)
                .replace("\"", "")
                .replace("idem.", "")
                .toLowerCase(Locale.ROOT);
    }

    /** The keys stand first in schema.cql: one for tables of single rows, two for the others. */
    private static List<ColumnMetadata> keys(TableMetadata table) {
        boolean single = List.of("expiring", "docs").contains(table.getName().asInternal());
        return table.getColumns().values().stream().limit(single ? 1 : 2).toList();
    }

    private static List<ColumnMetadata> values(TableMetadata table) {
        return table.getColumns().values().stream()
                .filter(column -> !keys(table).contains(column))
                .toList();
    }

    private List<ColumnMetadata> some(List<ColumnMetadata> columns) {
        return random.ints(1 + random.nextInt(3), 0, columns.size())
                .distinct()
                .mapToObj(columns::get)
                .toList();
    }

    private static String name(ColumnMetadata column) {
        return column.getName().asCql(true);
    }

    private String name(TableMetadata table) {
        return pick("", "", "idem.") + table.getName().asCql(true);
    }

    /** Other letters, more blanks, comments: nothing that changes the meaning. */
    private String disguise(String statement) {
        String written = chance(3) ? statement.replace("INSERT", "insert").replace("UPDATE", "Update") : statement;
        written = chance(3) ? written.replace(" WHERE ", "\nwhere /* IF now() */ ") : written;
        written = chance(4) ? written.replace(" VALUES ", " -- uuid()\n VALUES ") : written;
        return chance(5) ? "// 'now'\n" + written.replace(", ", " ,") : written;
    }

    private boolean chance(int oneOf) {
        return random.nextInt(oneOf) == 0;
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
