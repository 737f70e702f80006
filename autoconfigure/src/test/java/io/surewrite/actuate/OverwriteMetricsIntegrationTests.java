package io.surewrite.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.test.CassandraTest;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

class OverwriteMetricsIntegrationTests extends CassandraTest {

    @Table("measured")
    record Measured(@PrimaryKey int id, String name, String city, String country) {}

    @Table("clean")
    record Clean(@PrimaryKey int id, String name) {}

    @Test
    void showsTheTombstonesThatReadsMet() {
        session.execute("CREATE TABLE measured (id int PRIMARY KEY, name text, city text, country text)");
        session.execute("CREATE TABLE clean (id int PRIMARY KEY, name text)");
        application().withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            context.getBean(RowOverwrites.class).overwrite(new Clean(1, null));
            session.execute("SELECT * FROM clean WHERE id = 1");
            context.getBean(CassandraOperations.class)
                    .insert(
                            new Measured(2, "Ann", null, null),
                            InsertOptions.builder().withInsertNulls().build());
            session.execute("SELECT * FROM measured WHERE id = 2");

            String table = keyspace.name() + ".measured";
            MeterRegistry fresh = new SimpleMeterRegistry(); // the application's looks again in half a minute
            new TombstoneMetrics("cassandraSession", session, fresh);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(fresh.get("surewrite.tombstones.per.read")
                                    .tags("session", "cassandraSession", "table", table, "quantile", "1")
                                    .gauge()
                                    .value())
                            .isEqualTo(2));
            assertThat(fresh.get("surewrite.tombstones.per.read")
                            .tags("table", keyspace.name() + ".clean", "quantile", "1")
                            .gauge()
                            .value())
                    .as("none was read, for which the servers say 1")
                    .isZero();
        });
    }
}
