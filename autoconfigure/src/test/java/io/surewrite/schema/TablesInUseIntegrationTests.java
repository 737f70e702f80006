package io.surewrite.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.SeveralKeyspaces;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What is said about tables that sure writes rely on. */
@ExtendWith(OutputCaptureExtension.class)
@SeveralKeyspaces
class TablesInUseIntegrationTests extends CassandraTest {

    private static String poor() {
        return keyspace.name() + "_poor";
    }

    @AfterAll
    static void drop() {
        session.execute("DROP KEYSPACE IF EXISTS " + poor());
    }

    private static TableMetadata table(String keyspace, String name) {
        return session.getMetadata()
                .getKeyspace(keyspace)
                .orElseThrow()
                .getTable(name)
                .orElseThrow();
    }

    private static TableMetadata created(String name) {
        session.execute("CREATE TABLE %s (id uuid PRIMARY KEY, text text)".formatted(name));
        return table(keyspace.name(), name);
    }

    private static TablesInUse started(boolean embedded, TableMetadata table) {
        TablesInUse tables = new TablesInUse(any -> embedded);
        tables.add(session, table, "a test", now -> List.of());
        tables.afterSingletonsInstantiated();
        return tables;
    }

    private static List<String> problems(TablesInUse tables) {
        return tables.findings().stream()
                .map(finding -> finding.subject() + " " + finding.problem())
                .toList();
    }

    @Test
    void expectsOneReplicaOfOneNode() {
        session.execute(
                "ALTER KEYSPACE %s WITH durable_writes = true".formatted(keyspace.name())); // as an application's is
        assertThat(started(false, created("alone")).findings()).isEmpty();
    }

    @Test
    void namesWhatIsWrongWithAKeyspace(CapturedOutput output) {
        session.execute("""
                CREATE KEYSPACE %s WITH replication = {'class': 'NetworkTopologyStrategy', '%s': 2} AND durable_writes = false""".formatted(poor(), keyspace.server().localDatacenter()));
        session.execute("CREATE TABLE %s.note (id uuid PRIMARY KEY)".formatted(poor()));
        assertThat(problems(started(false, table(poor(), "note"))))
                .hasSize(2)
                .anyMatch(problem -> problem.contains("keeps two replicas: a majority is both"))
                .anyMatch(problem -> problem.contains("has durable_writes = false"));
        assertThat(output).contains("Sure writes are endangered:\n - keyspace " + poor());
    }

    @Test
    void hearsOfChanges(CapturedOutput output) {
        TablesInUse tables = started(true, created("changing"));
        assertThat(problems(tables)).isEmpty();
        session.execute("ALTER TABLE changing WITH default_time_to_live = 60 AND gc_grace_seconds = 86400");
        session.execute("ALTER TABLE changing ADD tags set<text>");
        String name = "table %s.changing has ".formatted(keyspace.name());
        Awaitility.await()
                .untilAsserted(() -> assertThat(output)
                        .contains(name + "got default_time_to_live = 60 since a test began to use it")
                        .contains(name + "got the collection tags since a test began to use it")
                        .contains(name + "gc_grace_seconds lowered from 864000 to 86400"));
        assertThat(problems(tables)).hasSize(3);
        session.execute("ALTER TABLE changing WITH default_time_to_live = 0 AND gc_grace_seconds = 600");
        session.execute("ALTER TABLE changing DROP tags");
        Awaitility.await()
                .untilAsserted(() -> assertThat(output)
                        .contains("No more: " + name + "got default_time_to_live = 60")
                        .contains(name + "gc_grace_seconds = 600, less than the three hours"));
        assertThat(problems(tables)).hasSize(1);
    }

    @Test
    void asksItsUsersAgain() {
        TableMetadata table = created("checked");
        TablesInUse tables = new TablesInUse(any -> true);
        tables.add(
                session,
                table,
                "a test",
                now -> now.getColumn("wrong").isPresent() ? List.of("it has a wrong column") : List.of());
        assertThat(problems(tables)).isEmpty();
        session.execute("ALTER TABLE checked ADD wrong text");
        assertThat(problems(tables))
                .singleElement()
                .asString()
                .endsWith("is not as a test needs it: it has a wrong column");
        session.execute("DROP TABLE checked");
        assertThat(problems(tables)).singleElement().asString().contains("does not exist any more");
    }

    @Test
    void guardsSurewritesOwnTables() {
        TableMetadata own = created("own");
        TablesInUse tables = new TablesInUse(any -> true);
        tables.addOwn(session, own.getKeyspace(), own.getName());
        assertThat(problems(tables)).isEmpty();
        session.execute("ALTER TABLE own WITH default_time_to_live = 86400");
        assertThat(problems(tables)).singleElement().asString().contains("has got default_time_to_live = 86400");
    }
}
