package io.surewrite.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.InvalidConfigurationException;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.schema.tables.ManagedSchema;
import io.surewrite.schema.tables.SchemaSettings;
import io.surewrite.schema.tables.SchemaSetup;
import io.surewrite.test.CassandraTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ByteArrayResource;

/** A release to come whose leases have two more columns. */
class SchemaUpgradeIntegrationTests extends CassandraTest {

    private static int tests;

    private final String prefix = "u" + ++tests + "_";

    record UsesLeases(LeaseLocks locks) {}

    @BeforeAll
    static void hurry() {
        // A statement that changes the schema takes a second otherwise.
        session.setSchemaMetadataEnabled(false).toCompletableFuture().join();
    }

    @Test
    void altersATableOfTheVersionBeforeIfItMay() {
        createAsItIs();
        session.execute("INSERT INTO %s (name, epoch) VALUES ('kept', 7) IF NOT EXISTS".formatted(qualified("lease")));

        schema(SchemaInitialization.ALWAYS, List.of(next())).table("lease");

        assertThat(session.execute("SELECT epoch, region, zone FROM %s".formatted(qualified("lease")))
                        .one()
                        .getLong("epoch"))
                .isEqualTo(7);
        schema(SchemaInitialization.NEVER, List.of(next())).table("lease");
    }

    @Test
    void printsTheAlterToRunFirstIfItMayNot() {
        createAsItIs();
        session.execute("ALTER TABLE %s ADD zone text".formatted(qualified("lease")));
        SurewriteSchema schema = schema(SchemaInitialization.NEVER, List.of(next()));

        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> schema.table("lease"))
                .satisfies(failure -> {
                    assertThat(failure.problem())
                            .isEqualTo(
                                    "The table %s is of version 1, and this process needs version 2: column region is missing."
                                            .formatted(qualified("lease")));
                    assertThat(failure.fix())
                            .startsWith("Run this CQL before the application starts, or let the application run it with"
                                    + " surewrite.schema.initialize=always (now it is never):")
                            .endsWith("ALTER TABLE %s ADD region text;".formatted(qualified("lease")));
                    session.execute(failure.fix().substring(failure.fix().indexOf("ALTER")));
                });
        schema.table("lease");
    }

    @Test
    void letsSeveralProcessesAlterAtOnce() throws Exception {
        createAsItIs();
        CyclicBarrier start = new CyclicBarrier(6);
        List<CompletableFuture<String>> processes = new ArrayList<>();
        for (int i = 0; i < start.getParties(); i++) {
            SurewriteSchema schema = schema(SchemaInitialization.ALWAYS, List.of(next()));
            CompletableFuture<String> process = new CompletableFuture<>();
            new Thread(() -> {
                        try {
                            start.await();
                            process.complete(schema.table("lease"));
                        } catch (Exception | Error failure) {
                            process.completeExceptionally(failure);
                        }
                    })
                    .start();
            processes.add(process);
        }
        for (CompletableFuture<String> process : processes) {
            assertThat(process.get(60, java.util.concurrent.TimeUnit.SECONDS)).isEqualTo(qualified("lease"));
        }
    }

    @Test
    void leavesATableOfAnotherShapeAlone() {
        session.execute("CREATE TABLE %s (name text PRIMARY KEY, epoch text)".formatted(qualified("lease")));
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() ->
                        schema(SchemaInitialization.ALWAYS, List.of(next())).table("lease"))
                .withMessageContaining("column epoch is text, expected bigint")
                .withMessageContaining("not ours to change");
        assertThat(session.execute("SELECT * FROM " + qualified("lease"))
                        .getColumnDefinitions()
                        .size())
                .isEqualTo(2);
    }

    @Test
    void oldAndNewProcessesWorkOnOneTable() {
        createAsItIs();
        ApplicationContextRunner oldRelease = application()
                .withPropertyValues("surewrite.schema.table-prefix=" + prefix, "surewrite.schema.initialize=never")
                .withBean(UsesLeases.class);
        oldRelease.run(context -> {
            LeaseLocks old = context.getBean(LeaseLocks.class);
            Lease before = old.tryAcquire("job").orElseThrow();
            SurewriteSchema newer =
                    schema(context.getBean(CqlSession.class), SchemaInitialization.ALWAYS, List.of(next()));
            String table = newer.table("lease");

            assertThat(before.isHeld()).isTrue();
            before.close();
            assertThat(session.execute("UPDATE %s SET region = 'north' WHERE name = 'job' IF lease_id = null"
                                    .formatted(table))
                            .wasApplied())
                    .as("the new process writes its column")
                    .isTrue();
            try (Lease after = old.tryAcquire("job").orElseThrow()) {
                assertThat(after.token()).isGreaterThan(before.token());
            }
            assertThat(session.execute("SELECT region FROM %s WHERE name = 'job'".formatted(table))
                            .one()
                            .getString(0))
                    .as("the old one leaves it")
                    .isEqualTo("north");
            oldRelease.run(another -> assertThat(another).hasNotFailed());
        });
    }

    private SurewriteSchema schema(SchemaInitialization mode, List<SchemaTable> tables) {
        return schema(session, mode, tables);
    }

    private SurewriteSchema schema(CqlSession of, SchemaInitialization mode, List<SchemaTable> tables) {
        return new ManagedSchema(
                tables.stream().map(SchemaTable::onFirstUse).toList(),
                false,
                () -> new SchemaSetup(of, new SchemaSettings(mode, false, null, prefix, List.of())));
    }

    private String qualified(String table) {
        return keyspace.name() + "." + prefix + table;
    }

    private void createAsItIs() {
        session.execute(asItIs().replace("${table}", qualified("lease")));
    }

    /** The lease table of a release to come. */
    private static SchemaTable next() {
        String ddl = asItIs().replace("    PRIMARY KEY", """
                    region text, -- version 2: where the holder runs
                    zone text, -- version 2
                    PRIMARY KEY""");
        return new SchemaTable("lease", new ByteArrayResource(ddl.getBytes(StandardCharsets.UTF_8)), true, true);
    }

    private static String asItIs() {
        try {
            return SchemaTable.named("lease").ddl().getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }
}
