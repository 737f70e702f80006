package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.simulation.Patience;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Rows with sets, maps and user-defined types that are not frozen, on a real server. */
class CollectionRowsIntegrationTests extends CassandraTest {

    private static final UniqueConstraint LOGIN = UniqueConstraint.on("collecting_login", "login");

    private static CqlRows table;

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE IF NOT EXISTS collecting (key text PRIMARY KEY, c0 text, c1 set<text>)");
        session.execute("CREATE TYPE IF NOT EXISTS place (street text, town text)");
        session.execute(
                "CREATE TABLE IF NOT EXISTS various (id uuid PRIMARY KEY, login text, roles set<text>, settings map<text, int>,"
                        + " home place, empty_home place, tuples set<frozen<tuple<int, text>>>)");
        table = CqlRows.of(session, metadata("collecting"), CollectionRowsContract.ONE.constraints());
    }

    private static TableMetadata metadata(String name) {
        return session.getMetadata()
                .getKeyspace(keyspace.name())
                .flatMap(found -> found.getTable(name))
                .orElseThrow();
    }

    @Nested
    class OnCassandra extends CollectionRowsContract {

        @Override
        ConstrainedRows rows() {
            return table;
        }

        @Override
        EntityWrite save(String c0, @Nullable String elements) {
            return UniqueFixture.written(
                    table,
                    Map.of("key", key, "c0", c0),
                    timestamp -> session.executeAsync(SimpleStatement.newInstance(
                                    "INSERT INTO collecting (key, c0, c1) VALUES (?, ?, ?) USING TIMESTAMP ?",
                                    key,
                                    c0,
                                    set(elements),
                                    timestamp))
                            .thenAccept(done -> {}));
        }

        @Override
        EntityWrite overwrite(String c0, @Nullable String elements) {
            Set<String> all = set(elements);
            return UniqueFixture.written(
                    table,
                    Map.of("key", key, "c0", c0),
                    timestamp -> session.executeAsync(SimpleStatement.newInstance(
                                    """
                                    BEGIN UNLOGGED BATCH
                                    DELETE FROM collecting USING TIMESTAMP %2$d WHERE key = '%1$s';
                                    INSERT INTO collecting (key, c0) VALUES ('%1$s', '%4$s') USING TIMESTAMP %3$d;
                                    UPDATE collecting USING TIMESTAMP %3$d SET c1 = c1 + ? WHERE key = '%1$s';
                                    APPLY BATCH""".formatted(key, timestamp - 1, timestamp, c0), all == null ? Set.of() : all))
                            .thenAccept(done -> {}));
        }

        private @Nullable Set<String> set(@Nullable String elements) {
            return elements == null ? null : Set.of(elements.split("\\+", -1));
        }

        @Override
        @Nullable
        String shown() {
            Row row = session.execute("SELECT c1 FROM collecting WHERE key = '" + key + "'")
                    .one();
            return row == null || row.isNull(0)
                    ? null
                    : String.join("+", new TreeSet<>(Objects.requireNonNull(row.getSet(0, String.class))));
        }

        @Override
        Patience patience() {
            return Patience.REAL;
        }
    }

    private final UUID id = UUID.randomUUID();

    /** Each cell as it was, but for its timestamp, and with a field of which the rows have never heard. */
    @Test
    void restoresEachCellWithItsOwnTimeToLive() {
        CqlRows rows = CqlRows.of(session, metadata("various"), List.of(LOGIN));
        session.execute("ALTER TYPE place ADD IF NOT EXISTS country text");
        execute(
                "INSERT INTO various (id, login, roles, settings, home, tuples) VALUES (%s, 'ann', {'a', 'b'}, {'x': 1},"
                        + " {street: 's', town: 't', country: 'c'}, {(1, 'one')}) USING TIMESTAMP 10");
        execute("UPDATE various USING TIMESTAMP 11 AND TTL 1000 SET roles = roles + {'guest'}, settings['y'] = 2,"
                + " home.town = 'u' WHERE id = %s");
        execute("UPDATE various USING TIMESTAMP 12 AND TTL 2000 SET roles = roles + {'visitor', 'z'} WHERE id = %s");
        execute("DELETE settings['gone'], home.street FROM various USING TIMESTAMP 13 WHERE id = %s");
        String owner = rows.owner(Map.of(CqlIdentifier.fromInternal("id"), id));
        RowSnapshot shown = Patience.REAL.await(rows.read(owner));
        assertThat(shown.newestWrite()).as("of all elements").isEqualTo(12);
        Row before = various();

        RowSnapshot read = Patience.REAL.await(rows.readToRestore(owner));
        assertThat(read.newestWrite()).isEqualTo(12);
        execute("UPDATE various USING TIMESTAMP 29 SET roles = roles + {'late'}, settings['late'] = 3,"
                + " home.street = 'late', empty_home.street = 'late' WHERE id = %s");
        Patience.REAL.await(rows.restore(read, 30));
        Patience.REAL.await(rows.restore(read, 30));
        execute("UPDATE various USING TIMESTAMP 28 SET roles = {'late'}, settings['late'] = 3, home = {street: 'late'},"
                + " empty_home = {street: 'late'} WHERE id = %s");

        Row after = various();
        assertThat(after.getFormattedContents()).contains("guest", "country:'c'", "town:'u'", "(1,'one')");
        for (int i = 0; i < 6; i++) {
            assertThat(after.getBytesUnsafe(i)).as("column " + i).isEqualTo(before.getBytesUnsafe(i));
        }
        assertThat(ttls(after, 6)).containsExactlyElementsOf(List.of("none", "none", "1000", "2000", "2000"));
        assertThat(ttls(after, 7)).containsExactly("none", "1000");
        assertThat(ttls(after, 8)).containsExactly("none", "1000", "none");
        assertThat(after.getList(9, Long.class)).containsOnly(30L).hasSize(5);
    }

    /** The columns are the same for both times to live, and so is the statement that writes them. */
    @Test
    void restoresElementsThatDifferInTheirTimeToLiveAlone() {
        CqlRows rows = CqlRows.of(session, metadata("various"), List.of(LOGIN));
        execute("INSERT INTO various (id, login) VALUES (%s, 'ann') USING TIMESTAMP 10");
        execute("UPDATE various USING TIMESTAMP 11 AND TTL 1000 SET roles = roles + {'guest'}, settings['x'] = 1"
                + " WHERE id = %s");
        execute("UPDATE various USING TIMESTAMP 12 AND TTL 2000 SET roles = roles + {'visitor'}, settings['y'] = 2"
                + " WHERE id = %s");
        String owner = rows.owner(Map.of(CqlIdentifier.fromInternal("id"), id));

        RowSnapshot read = Patience.REAL.await(rows.readToRestore(owner));
        Patience.REAL.await(rows.restore(read, 30));

        Row after = various();
        assertThat(after.getSet("roles", String.class)).containsExactlyInAnyOrder("guest", "visitor");
        assertThat(after.getMap("settings", String.class, Integer.class)).isEqualTo(Map.of("x", 1, "y", 2));
        assertThat(ttls(after, 6)).containsExactly("1000", "2000");
        assertThat(ttls(after, 7)).containsExactly("1000", "2000");
    }

    private Row various() {
        return Objects.requireNonNull(
                session.execute("SELECT login, roles, settings, home, empty_home, tuples, TTL(roles),"
                                + " TTL(settings), TTL(home), WRITETIME(roles) FROM various WHERE id = " + id)
                        .one());
    }

    /** To the next multiple of a thousand, as some seconds may pass. */
    private static List<String> ttls(Row row, int column) {
        return Objects.requireNonNull(row.getList(column, Integer.class)).stream()
                .map(seconds -> seconds == null ? "none" : Integer.toString((seconds + 999) / 1000 * 1000))
                .toList();
    }

    private void execute(String cql) {
        session.execute(cql.formatted(id));
    }

    @Test
    void refusesWhatCannotBeRestored() {
        session.execute("CREATE TYPE IF NOT EXISTS region (name text)");
        session.execute(
                "CREATE TABLE IF NOT EXISTS shared (a int, b int, login text, tags set<text> STATIC, PRIMARY KEY (a, b))");
        session.execute("CREATE TABLE IF NOT EXISTS living (id uuid PRIMARY KEY, login text, home region)");
        assertThatThrownBy(() -> CqlRows.of(session, metadata("shared"), List.of(LOGIN)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("static column tags of table shared");
        assertThatThrownBy(
                        () -> CqlRows.of(session, metadata("living"), List.of(UniqueConstraint.on("of_homes", "home"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'of_homes', 'home' is a user-defined type");
        assertThat(CqlRows.of(session, metadata("living"), List.of(LOGIN))).isNotNull();
    }
}
