package io.surewrite.schema.tables;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.schema.SchemaTable;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ByteArrayResource;

class TableVersionTests {

    private final TableDefinition definition = TableDefinition.of(
            new SchemaTable("t", new ByteArrayResource("""
                    CREATE TABLE IF NOT EXISTS ${table} (
                        a text,
                        b int, -- version 2, for what it is
                        c map<text, int>, -- version 3
                        d int, -- version 3
                        PRIMARY KEY (a)
                    ) WITH default_time_to_live = 0;
                    """.getBytes(StandardCharsets.UTF_8)), false, false),
            CqlIdentifier.fromInternal("shop"),
            "surewrite_");

    @ParameterizedTest
    @ValueSource(strings = {"lease", "claim", "value", "unique_build", "unique_duplicate", "journal", "journal_state"})
    void tablesAreOfTheFirstVersionToday(String name) {
        TableDefinition today =
                TableDefinition.of(SchemaTable.named(name), CqlIdentifier.fromInternal("shop"), "surewrite_");
        assertThat(today.version()).isEqualTo(1);
        assertThat(today.shape().columns().values()).noneMatch(type -> type.contains("--"));
    }

    @Test
    void knowsTheVersionOfEachColumn() {
        assertThat(definition.version()).isEqualTo(3);
        assertThat(definition.shape().columns().keySet()).containsExactly("a", "b", "c", "d");
        assertThat(definition.versionOf(actual("a"))).isEqualTo(1);
        assertThat(definition.versionOf(actual("a", "b"))).isEqualTo(2);
        assertThat(definition.versionOf(actual("a", "b", "c"))).isEqualTo(2);
        assertThat(definition.versionOf(actual("a", "b", "c", "d", "more"))).isEqualTo(3);
        assertThat(definition.missingIn(actual("a", "c"))).containsExactly("b", "d");
        assertThat(definition.ddlOf("c")).isEqualTo("ALTER TABLE shop.surewrite_t ADD c map<text, int>;");
    }

    @Test
    void addsNothingToATableThatIsWrongOtherwise() {
        assertThat(definition.missingIn(actual("b"))).isEmpty();
        Map<String, String> otherType = new LinkedHashMap<>(definition.shape().columns());
        otherType.remove("d");
        otherType.put("b", "text");
        assertThat(definition.missingIn(new TableShape(otherType, "(a)", 0))).isEmpty();
        assertThat(definition.missingIn(new TableShape(Map.of("a", "text"), "(a)", 60)))
                .isEmpty();
    }

    private TableShape actual(String... columns) {
        Map<String, String> types = new LinkedHashMap<>();
        for (String column : columns) {
            types.put(column, definition.shape().columns().getOrDefault(column, "text"));
        }
        return new TableShape(types, "(a)", 0);
    }
}
