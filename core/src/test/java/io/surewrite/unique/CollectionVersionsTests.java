package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.Version;
import com.datastax.oss.driver.api.core.type.DataTypes;
import io.surewrite.internal.rows.TableColumn;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which servers can tell the timestamps and times to live of elements. */
class CollectionVersionsTests {

    private static final TableColumn ROLES = new TableColumn(
            CqlIdentifier.fromInternal("roles"), DataTypes.setOf(DataTypes.TEXT), TableColumn.Role.ELEMENTS);

    @Test
    void refusesOneOlderNode() {
        assertThat(mistake("5.0.0", "5.0.9", "6.0-alpha2")).isEmpty();
        assertThat(mistake("5.0.9", "4.1.10"))
                .singleElement()
                .asString()
                .contains("The column roles", "a node runs Cassandra 4.1.10", "Upgrade all nodes to 5.0");
        assertThat(CqlRows.mistake(ROLES, Stream.of((Version) null)))
                .as("of a node whose version is not known the first query tells")
                .isEmpty();
    }

    private static Stream<String> mistake(String... versions) {
        return CqlRows.mistake(ROLES, Stream.of(versions).map(Version::parse));
    }
}
