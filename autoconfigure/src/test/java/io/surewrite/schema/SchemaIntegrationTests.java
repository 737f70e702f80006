package io.surewrite.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.schema.ManagedSchema.SchemaInitialization;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.InEachCell;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.write.InvalidConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@InEachCell(InEachCell.Subject.TABLES)
class SchemaIntegrationTests extends CassandraTest {

    private static final String APP = "surewrite.schema.locations=classpath:io/surewrite/schema/app.cql";
    private static final String NEVER = "surewrite.schema.initialize=never";

    private static int tests;

    /** A prefix for each test is cheaper than dropping tables. */
    private final String prefix = "t" + ++tests + "_";

    private ApplicationContextRunner app() {
        return unused().withBean(UsesLeases.class);
    }

    /** An application that could use leases, but does not. */
    private ApplicationContextRunner unused() {
        return application().withPropertyValues("surewrite.schema.table-prefix=" + prefix);
    }

    record UsesLeases(LeaseLocks locks) {}

    /** On the embedded server, whether the application got there by contact points, as here, or by its auto-configuration. */
    @Test
    void createsWhatIsMissingAndTellsItsName() {
        app().withPropertyValues("surewrite.schema.initialize=embedded").run(context -> {
            String table = context.getBean(SurewriteSchema.class).table("lease");
            assertThat(table).isEqualTo(keyspace.name() + "." + prefix + "lease");
            assertThat(session.execute("SELECT name, epoch, lease_id, holder FROM " + table))
                    .extracting(row -> row.getString("name"))
                    .containsExactly("surewrite:serial-consistency");
            assertThat(context.getBean(SurewriteSchema.class).exists("lease")).isTrue();
            assertThat(context.getBean(CqlSession.class)
                            .getMetadata()
                            .getKeyspace(keyspace.name())
                            .flatMap(metadata -> metadata.getTable(prefix + "lease")))
                    .as("known to the driver")
                    .isPresent();
        });
    }

    /** It may create tables, and leaves the rows of one that is there. */
    @Test
    void worksOnATableWithAColumnOfALaterRelease() {
        app().run(context -> context.getBean(LeaseLocks.class)
                .tryAcquire("job")
                .orElseThrow()
                .close());
        session.execute("ALTER TABLE %slease ADD region text".formatted(prefix));
        session.execute("UPDATE %slease SET region = 'north' WHERE name = 'job' IF EXISTS".formatted(prefix));
        app().run(context -> {
            try (Lease again = context.getBean(LeaseLocks.class).acquire("job", Duration.ofMinutes(1))) {
                assertThat(again.token()).isGreaterThan(1);
            }
        });
        assertThat(session.execute("SELECT region FROM %slease WHERE name = 'job'".formatted(prefix))
                        .one()
                        .getString(0))
                .isEqualTo("north");
    }

    @Test
    void letsFiveProcessesStartAtOnceOnAnEmptyKeyspace() throws Exception {
        CyclicBarrier together = new CyclicBarrier(5);
        List<CompletableFuture<String>> starts = IntStream.range(0, together.getParties())
                .mapToObj(process -> CompletableFuture.supplyAsync(
                        () -> {
                            try (CqlSession own = session(keyspace.name())) {
                                together.await(1, TimeUnit.MINUTES);
                                String table = schema(own, settings(null)).table("lease");
                                own.execute("INSERT INTO %s (name) VALUES ('%d')".formatted(table, process));
                                return table;
                            } catch (Exception broken) {
                                throw new IllegalStateException(broken);
                            }
                        },
                        task -> new Thread(task).start()))
                .toList();
        for (CompletableFuture<String> start : starts) {
            assertThat(start.get(2, TimeUnit.MINUTES)).endsWith("lease");
        }
    }

    @Test
    void needsNoTableForLeasesThatNobodyUses() {
        unused().withPropertyValues(NEVER).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(AttributeJournal.class);
            assertThat(context.getBean(SurewriteSchema.class).exists("lease")).isFalse();
            assertThatThrownBy(() -> context.getBean(LeaseLocks.class))
                    .hasRootCauseInstanceOf(InvalidConfigurationException.class)
                    .rootCause()
                    .hasMessageContaining(prefix + "lease is missing");
        });
    }

    @Test
    void needsNoTableForFeaturesThatAreOff() {
        ApplicationContextRunner off =
                unused().withPropertyValues("surewrite.lease.enabled=false", "surewrite.unique.enabled=false", NEVER);
        off.run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(UniqueGuard.class)
                    .doesNotHaveBean(LeaseLocks.class);
            assertThatThrownBy(() -> context.getBean(SurewriteSchema.class).table("nobody"))
                    .hasMessage("Surewrite has no table 'nobody'");
        });
    }

    @Test
    void listsEverythingMissingWithTheCqlToRun() {
        ManagedSchema schema = schema(session, settings(SchemaInitialization.NEVER, null));
        InvalidConfigurationException failure = refusal(schema, "journal", "journal_state");
        assertThat(failure.problem().lines())
                .containsExactly(
                        "The table %s.%sjournal is missing.".formatted(keyspace.name(), prefix),
                        "The table %s.%sjournal_state is missing.".formatted(keyspace.name(), prefix));
        assertThat(failure.fix())
                .contains("Run this CQL before the application starts")
                .contains("surewrite.schema.initialize=always (now it is never)")
                .contains("surewrite.journal.enabled=true");
        runAsItStands(failure.fix());
        assertThat(schema.table("journal")).endsWith(prefix + "journal");
    }

    @Test
    void refusesAWrongTableEvenWhereItMayCreate() {
        session.execute("""
                CREATE TABLE %slease (name text, epoch int, holder text, PRIMARY KEY (name, epoch))
                WITH default_time_to_live = 3600""".formatted(prefix));
        InvalidConfigurationException failure = refusal(schema(session, settings(null)), "lease");
        String table = "The table %s.%slease is wrong: ".formatted(keyspace.name(), prefix);
        assertThat(failure.problem().lines())
                .containsExactly(
                        table + "column epoch is int, expected bigint.",
                        table + "column lease_id is missing, expected uuid.",
                        table + "column write_ts is missing, expected bigint.",
                        table + "the primary key is (name, epoch), expected (name).",
                        table + "default_time_to_live is 3600, expected 0.");
        assertThat(failure.fix())
                .startsWith("A table of another shape is not ours to change. Alter or drop it, or choose another")
                .contains("CREATE TABLE IF NOT EXISTS %s.%slease (".formatted(keyspace.name(), prefix));
    }

    @Test
    void refusesAKeyspaceThatDoesNotExist() {
        assertThat(refusal(schema(session, settings("nowhere")), "lease"))
                .hasMessageContaining("The keyspace nowhere of surewrite.schema.keyspace does not exist.")
                .hasMessageContaining("Surewrite never creates a keyspace")
                .hasMessageContaining("CREATE KEYSPACE nowhere WITH replication = {");
    }

    @Test
    void runsTheApplicationsOwnDdlBeforeSpringData() {
        session.execute("DROP TABLE IF EXISTS users");
        app().withPropertyValues(APP).withUserConfiguration(Repositories.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Repositories.Users.class).count()).isZero();
            String repository = context.getBeanNamesForType(Repositories.Users.class)[0];
            for (String bean : List.of("cassandraSessionFactory", repository)) {
                assertThat(context.getBeanFactory().getBeanDefinition(bean).getDependsOn())
                        .as(bean)
                        .contains("surewriteSchema");
            }
        });
    }

    private ManagedSchema.Settings settings(@Nullable String keyspace) {
        return settings(SchemaInitialization.ALWAYS, keyspace);
    }

    private ManagedSchema.Settings settings(SchemaInitialization initialization, @Nullable String keyspace) {
        return new ManagedSchema.Settings(initialization, anySession -> true, keyspace, prefix, List.of());
    }

    private static ManagedSchema schema(CqlSession session, ManagedSchema.Settings settings) {
        return new ManagedSchema(settings, () -> session, new TablesInUse(any -> true));
    }

    private static InvalidConfigurationException refusal(ManagedSchema schema, String... tables) {
        return catchThrowableOfType(InvalidConfigurationException.class, () -> schema.tables(tables));
    }

    private static CqlSession session(@Nullable String keyspace) {
        return CqlSession.builder()
                .addContactPoint(CassandraTest.keyspace.server().contactPoint())
                .withLocalDatacenter(CassandraTest.keyspace.server().localDatacenter())
                .withKeyspace(keyspace)
                .build();
    }

    /** What somebody would paste into cqlsh: everything after the sentence. */
    private static void runAsItStands(String fix) {
        String cql = fix.substring(fix.indexOf("\n\n"));
        for (String statement : cql.split(";(?=\\s*(\\n|$))", -1)) {
            if (!statement.isBlank()) {
                session.execute(statement);
            }
        }
    }
}
