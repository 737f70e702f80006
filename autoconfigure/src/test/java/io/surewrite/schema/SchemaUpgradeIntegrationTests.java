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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;

/** Tables as the first release left them, and a release to come whose leases have two more columns. */
@ExtendWith(OutputCaptureExtension.class)
class SchemaUpgradeIntegrationTests extends CassandraTest {

    private static final List<String> TABLES =
            List.of("lease", "claim", "value", "unique_build", "unique_duplicate", "journal", "journal_state");

    private static int tests;

    private final String prefix = "u" + ++tests + "_";

    record UsesLeases(LeaseLocks locks) {}

    @BeforeAll
    static void hurry() {
        // A statement that changes the schema takes a second otherwise.
        session.setSchemaMetadataEnabled(false).toCompletableFuture().join();
    }

    @Test
    void thisReleaseWorksOnTheTablesOfTheFirst() {
        TABLES.forEach(table -> createAsItWas(table, 1));
        SurewriteSchema unaltered = schema(SchemaInitialization.NEVER, List.of(SchemaTable.named("journal_state")));
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> unaltered.table("journal_state"))
                .satisfies(failure -> assertThat(failure.fix())
                        .endsWith("ALTER TABLE %s ADD generation text;".formatted(qualified("journal_state"))));
        for (SchemaInitialization mode : List.of(SchemaInitialization.ALWAYS, SchemaInitialization.NEVER)) {
            SurewriteSchema schema =
                    schema(mode, TABLES.stream().map(SchemaTable::named).toList());
            assertThat(TABLES).allSatisfy(name -> assertThat(schema.table(name)).isEqualTo(qualified(name)));
        }
    }

    @Test
    void altersATableOfTheVersionBeforeIfItMay() {
        createAsItWas("lease", 2);
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
        createAsItWas("lease", 2);
        session.execute("ALTER TABLE %s ADD zone text".formatted(qualified("lease")));
        SurewriteSchema schema = schema(SchemaInitialization.NEVER, List.of(next()));

        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> schema.table("lease"))
                .satisfies(failure -> {
                    assertThat(failure.problem())
                            .isEqualTo(
                                    "The table %s is of version 2, and this process needs version 3: column region is missing."
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
        createAsItWas("lease", 2);
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
    void aFreshTableIsClosedToOlderProcesses() {
        schema(SchemaInitialization.ALWAYS, List.of(next())).table("lease");
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> schema(SchemaInitialization.ALWAYS, List.of(SchemaTable.named("lease")))
                        .table("lease"))
                .withMessageContaining("%s is closed to processes before version 3 of it, and this one knows version 2"
                        .formatted(qualified("lease")))
                .withMessageContaining("Start the release that the other processes run");
    }

    @Test
    void oldAndNewProcessesWorkOnOneTableUntilItIsClosedToTheOld(CapturedOutput output) {
        createAsItWas("lease", 2);
        ApplicationContextRunner oldRelease = application()
                .withPropertyValues("surewrite.schema.table-prefix=" + prefix, "surewrite.schema.initialize=never")
                .withBean(UsesLeases.class);
        oldRelease.run(context -> {
            LeaseLocks old = context.getBean(LeaseLocks.class);
            Lease before = old.tryAcquire("job").orElseThrow();
            SurewriteSchema newer =
                    schema(context.getBean(CqlSession.class), SchemaInitialization.ALWAYS, List.of(next()));
            String table = newer.table("lease");
            BooleanSupplier regions = newer.knownToAll("lease", 3, "Leases by region");

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

            assertThat(regions.getAsBoolean()).isFalse();
            String close = "ALTER TABLE %s ADD needs_3 boolean;".formatted(table);
            assertThat(output)
                    .contains("Leases by region waits until every process that uses " + table, "run: " + close);
            session.execute(close);
            Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertThat(regions.getAsBoolean()).isFalse();
                assertThat(output).contains("Leases by region begins in PT2M");
                assertThatExceptionOfType(RuntimeException.class)
                        .isThrownBy(() -> old.tryAcquire("job"))
                        .withStackTraceContaining("is closed to processes before version 3 of it");
            });
            oldRelease.run(another -> assertThat(another)
                    .getFailure()
                    .rootCause()
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContaining("this one knows version 2"));
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

    private void createAsItWas(String table, int version) {
        session.execute(asItWas(table, version).replace("${table}", qualified(table)));
    }

    /** The lease table of a release to come. */
    private static SchemaTable next() {
        String ddl = asItWas("lease", 2).replace("    PRIMARY KEY", """
                    region text, -- version 3: where the holder runs
                    zone text, -- version 3
                    needs_3 boolean, -- no older process has seen a fresh table
                    PRIMARY KEY""");
        return new SchemaTable("lease", new ByteArrayResource(ddl.getBytes(StandardCharsets.UTF_8)), true, true);
    }

    private static String asItWas(String table, int version) {
        try {
            return new ClassPathResource(
                            "version%d/%s.cql".formatted(version, table), SchemaUpgradeIntegrationTests.class)
                    .getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }
}
