package io.surewrite.cells;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.test.CassandraTest;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Asks the server of the tests, over a session like theirs, what they run on: not what was asked for. */
class WhereTheTestsAre extends CassandraTest {

    static final Properties FOUND = new Properties();

    @Test
    void tellsWhatItIs() {
        FOUND.setProperty("cassandra", one("SELECT release_version FROM system.local"));
        FOUND.setProperty("paxos", one("SELECT value FROM system_views.settings WHERE name = 'paxos_variant'"));
        FOUND.setProperty("protocol", session.getContext().getProtocolVersion().name());
        assertThat(FOUND).hasSize(3);
    }

    private static String one(String query) {
        Row row = Objects.requireNonNull(session.execute(query).one());
        return Objects.requireNonNull(row.getString(0));
    }
}
