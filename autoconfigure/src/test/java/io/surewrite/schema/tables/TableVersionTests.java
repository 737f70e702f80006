package io.surewrite.schema.tables;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.schema.SchemaTable;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ByteArrayResource;

@ExtendWith(OutputCaptureExtension.class)
class TableVersionTests {

    private final TableDefinition definition = TableDefinition.of(
            new SchemaTable("t", new ByteArrayResource("""
                    CREATE TABLE IF NOT EXISTS ${table} (
                        a text,
                        b int, -- version 2, for what it is
                        c map<text, int>, -- version 3
                        needs_2 boolean, -- fresh tables only
                        d int, -- version 3
                        PRIMARY KEY (a)
                    ) WITH default_time_to_live = 0;
                    """.getBytes(StandardCharsets.UTF_8)), false, false),
            CqlIdentifier.fromInternal("shop"),
            "surewrite_");

    @ParameterizedTest
    @ValueSource(strings = {"claim", "value", "unique_build", "unique_duplicate", "journal"})
    void tablesAreOfTheFirstVersionToday(String name) {
        TableDefinition today =
                TableDefinition.of(SchemaTable.named(name), CqlIdentifier.fromInternal("shop"), "surewrite_");
        assertThat(today.version()).isEqualTo(1);
        assertThat(today.shape().columns().values()).noneMatch(type -> type.contains("--"));
    }

    @Test
    void theTableOfLeasesIsOfTheSecondVersionToday() {
        TableDefinition today =
                TableDefinition.of(SchemaTable.named("lease"), CqlIdentifier.fromInternal("shop"), "surewrite_");
        assertThat(today.version()).isEqualTo(2);
        assertThat(today.versions()).containsExactly(Map.entry("write_ts", 2));
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
        assertThat(definition.ddlOfNeeds(3)).isEqualTo("ALTER TABLE shop.surewrite_t ADD needs_3 boolean;");
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

    @Test
    void knowsWhoMayUseATable() {
        assertThat(TableShape.needed(List.of("a", "needs_x", "needs_0", "needs_2x", "xneeds_9")))
                .isEqualTo(1);
        assertThat(TableShape.needed(List.of("needs_2", "a", "needs_12", "needs_3")))
                .isEqualTo(12);
    }

    @Test
    void waitsUntilTheTableIsClosedToOlderProcessesAndTheyHaveHeardOfIt(CapturedOutput output) {
        AtomicInteger needed = new AtomicInteger(1);
        AtomicLong now = new AtomicLong();
        UpgradeWatch watch = new UpgradeWatch("Fast locks", definition, 2, needed::get, now::get);
        assertThat(watch.getAsBoolean()).isFalse();
        assertThat(watch.getAsBoolean()).isFalse();
        assertThat(output)
                .containsOnlyOnce(
                        "Fast locks waits until every process that uses shop.surewrite_t is of version 2 of the"
                                + " table. Once the last older one has ended, run: ALTER TABLE shop.surewrite_t ADD needs_2 boolean;");

        needed.set(3);
        assertThat(watch.getAsBoolean()).isFalse();
        assertThat(output)
                .contains("Fast locks begins in PT2M: shop.surewrite_t is closed to processes before version 2");
        now.addAndGet(UpgradeWatch.SETTLING.toNanos() - 1);
        assertThat(watch.getAsBoolean()).isFalse();
        now.addAndGet(1);
        assertThat(watch.getAsBoolean()).isTrue();
        assertThat(output).containsOnlyOnce("Fast locks begins\n");
        needed.set(1);
        assertThat(watch.getAsBoolean()).as("for ever").isTrue();
    }

    private TableShape actual(String... columns) {
        Map<String, String> types = new LinkedHashMap<>();
        for (String column : columns) {
            types.put(column, definition.shape().columns().getOrDefault(column, "text"));
        }
        return new TableShape(types, "(a)", 0);
    }
}
