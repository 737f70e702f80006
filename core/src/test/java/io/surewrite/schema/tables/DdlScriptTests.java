package io.surewrite.schema.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.InvalidConfigurationException;
import io.surewrite.cql.analysis.CqlText;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;

class DdlScriptTests {

    @Test
    void namesTheTablesInOrder() {
        DdlScript script = read("""
                -- users; and more
                CREATE TABLE IF NOT EXISTS users (id uuid PRIMARY KEY, note text) // one
                  WITH comment = 'a; b -- c';
                create table if not exists other."Items" (id uuid primary key);
                CREATE INDEX IF NOT EXISTS by_note ON users (note);
                CREATE TYPE IF NOT EXISTS money (amount decimal);
                /* CREATE TABLE IF NOT EXISTS gone (id int PRIMARY KEY); */
                """);
        assertThat(script.statements()).hasSize(4);
        assertThat(script.tables())
                .containsExactly(
                        new CqlText.Name(null, CqlIdentifier.fromInternal("users")),
                        new CqlText.Name(CqlIdentifier.fromInternal("other"), CqlIdentifier.fromInternal("Items")));
    }

    @Test
    void allowsAnEmptyFile() {
        assertThat(read("\n").statements()).isEmpty();
        assertThat(read("-- nothing yet\n").statements()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE users (id uuid PRIMARY KEY)",
                "CREATE KEYSPACE IF NOT EXISTS shop WITH replication = {'class': 'SimpleStrategy'}",
                "DROP TABLE users",
                "USE shop",
                "ALTER TABLE users ADD note text",
                "INSERT INTO users (id) VALUES (uuid()) IF NOT EXISTS"
            })
    void refusesWhatMayNotRunAtEveryStart(String statement) {
        assertThatThrownBy(() -> read("CREATE TYPE IF NOT EXISTS a (b int); " + statement))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("the test's script")
                .hasMessageContaining("may not run at every start: " + statement)
                .hasMessageContaining("each with IF NOT EXISTS");
    }

    @Test
    void namesAFileThatIsNotThere() {
        assertThatThrownBy(() -> DdlScript.read(new ClassPathResource("nowhere.cql")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("class path resource [nowhere.cql]")
                .hasMessageContaining("Correct surewrite.schema.locations");
    }

    private static DdlScript read(String text) {
        return DdlScript.read(new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8), "the test's script"));
    }
}
