package io.surewrite.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ByteArrayResource;

class TableDefinitionTests {

    private static final CqlIdentifier SHOP = CqlIdentifier.fromInternal("shop");

    /** Neither lines, nor comments, nor what looks like code in a literal count. */
    @Test
    void readsTokens() {
        TableShape shape = define("""
                /* CREATE TABLE (x int) */ create table if not exists ${table} (a text, -- it's ), (
                  B frozen<map<text, int>> /* PRIMARY KEY (b) */, "C, D" int, primary key(a, B)) with comment = '(z int)'""").shape();
        assertThat(shape.columns())
                .containsExactly(entry("a", "text"), entry("b", "frozen<map<text, int>>"), entry("C, D", "int"));
        assertThat(shape.primaryKey()).isEqualTo("(a, B)");
    }

    private static TableDefinition define(String ddl) {
        return TableDefinition.of(
                new SchemaTable(
                        "t",
                        new ByteArrayResource(ddl.getBytes(StandardCharsets.UTF_8), "the test's DDL"),
                        false,
                        false),
                SHOP,
                "surewrite_");
    }
}
