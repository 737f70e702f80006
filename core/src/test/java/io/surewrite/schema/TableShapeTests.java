package io.surewrite.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableShapeTests {

    private static final TableShape EXPECTED = new TableShape(Map.of("name", "text", "epoch", "bigint"), "(name)", 0);

    @Test
    void toleratesFurtherColumns() {
        TableShape wider = new TableShape(Map.of("name", "text", "epoch", "bigint", "more", "int"), "(name)", 0);
        assertThat(wider.differencesFrom(EXPECTED)).isEmpty();
    }

    @Test
    void tellsEveryDifferenceWithWhatWasExpected() {
        TableShape wrong = new TableShape(Map.of("name", "varint"), "((name, place), time)", 60);
        assertThat(wrong.differencesFrom(EXPECTED))
                .containsExactlyInAnyOrder(
                        "column name is varint, expected text",
                        "column epoch is missing, expected bigint",
                        "the primary key is ((name, place), time), expected (name)",
                        "default_time_to_live is 60, expected 0");
    }

    @Test
    void writesAPrimaryKeyAsCqlDoes() {
        assertThat(TableShape.primaryKey(List.of("a"), List.of())).isEqualTo("(a)");
        assertThat(TableShape.primaryKey(List.of("a"), List.of("b", "c"))).isEqualTo("(a, b, c)");
        assertThat(TableShape.primaryKey(List.of("a", "b"), List.of("c"))).isEqualTo("((a, b), c)");
    }
}
