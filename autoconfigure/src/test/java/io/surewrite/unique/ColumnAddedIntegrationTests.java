package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.test.CassandraTest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** An application that runs while a new release adds a column: the driver hears of it a minute later. */
class ColumnAddedIntegrationTests extends CassandraTest {

    private static ConfigurableApplicationContext application;

    private final UUID id = UUID.randomUUID();

    @Table("blocking_row")
    record BlockingRow(
            @PrimaryKey UUID id,
            @Nullable String one,
            @Nullable String two) {}

    @Table("reactive_row")
    record ReactiveRow(
            @PrimaryKey UUID id,
            @Nullable String one,
            @Nullable String two) {}

    @Table("guarded_row")
    record GuardedRow(
            @PrimaryKey UUID id, String one, @Nullable String two) {}

    @UniqueBy("one")
    interface GuardedRows extends CassandraRepository<GuardedRow, UUID>, OverwriteRepository<GuardedRow> {}

    @Table("busy_row")
    record BusyRow(
            @PrimaryKey UUID id,
            @Nullable String one,
            @Nullable String two) {}

    @Table("late_row")
    record LateRow(
            @PrimaryKey UUID id,
            @Nullable String one,
            @Nullable String two,
            @Nullable Set<String> tags) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = GuardedRows.class))
    static class Application {

        @Bean
        DriverConfigLoaderBuilderCustomizer hearsOfTheSchemaLate() {
            return driver -> driver.withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, Duration.ofMinutes(1));
        }
    }

    @BeforeAll
    static void start() {
        // A statement that changes the schema takes a second otherwise.
        session.setSchemaMetadataEnabled(false).toCompletableFuture().join();
        session.execute("CREATE TABLE blocking_row (id uuid PRIMARY KEY, one text, two text)");
        session.execute("CREATE TABLE reactive_row (id uuid PRIMARY KEY, one text, two text)");
        session.execute("CREATE TABLE guarded_row (id uuid PRIMARY KEY, one text, two text)");
        session.execute("CREATE TABLE busy_row (id uuid PRIMARY KEY, one text, two text)");
        session.execute("CREATE TABLE late_row (id uuid PRIMARY KEY, one text, two text, tags set<text>)");
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(connection())
                .properties("surewrite.schema.initialize=always")
                .run();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void blockingOverwritesKeepIt() {
        RowOverwrites overwrites = application.getBean(RowOverwrites.class);
        overwrites.overwrite(new BlockingRow(id, "old", "old"));
        overwrites.overwrite(new BlockingRow(id, null, "old"));
        addColumn("blocking_row");

        overwrites.overwrite(new BlockingRow(id, "new", null));

        assertNewColumnSurvives("blocking_row");
    }

    @Test
    void reactiveOverwritesKeepIt() {
        ReactiveRowOverwrites overwrites = application.getBean(ReactiveRowOverwrites.class);
        overwrites.overwrite(new ReactiveRow(id, null, "old")).block();
        addColumn("reactive_row");

        overwrites.overwrite(new ReactiveRow(id, "new", null)).block();

        assertNewColumnSurvives("reactive_row");
    }

    @Test
    void guardedOverwritesKeepIt() {
        GuardedRows rows = application.getBean(GuardedRows.class);
        rows.overwrite(new GuardedRow(id, "old", null));
        rows.overwrite(new GuardedRow(id, "older", "old"));
        addColumn("guarded_row");

        rows.overwrite(new GuardedRow(id, "new", null));

        assertNewColumnSurvives("guarded_row");
    }

    @Test
    void aStatementThatIsPreparedOnlyAfterwardsKeepsIt() {
        addColumn("late_row");

        application.getBean(RowOverwrites.class).overwrite(new LateRow(id, "new", null, Set.of("tag")));

        assertNewColumnSurvives("late_row");
    }

    @Test
    void nothingIsErasedWhileItIsAdded() throws Exception {
        RowOverwrites overwrites = application.getBean(RowOverwrites.class);
        List<UUID> ids = Stream.generate(UUID::randomUUID).limit(40).toList();
        AtomicBoolean running = new AtomicBoolean(true);
        AtomicInteger written = new AtomicInteger();
        List<CompletableFuture<Void>> oldRelease = Stream.generate(() -> CompletableFuture.runAsync(() -> {
                    while (running.get()) {
                        int n = written.incrementAndGet();
                        overwrites.overwrite(new BusyRow(ids.get(n % ids.size()), "old " + n, null));
                    }
                }))
                .limit(2)
                .toList();
        Awaitility.await().until(() -> written.get() > 200);
        session.execute("ALTER TABLE busy_row ADD added text");
        for (UUID row : ids) {
            session.execute("UPDATE busy_row SET added = 'kept' WHERE id = ?", row);
        }
        int before = written.get();
        Awaitility.await().until(() -> written.get() > before + 200);
        running.set(false);
        for (CompletableFuture<Void> writer : oldRelease) {
            writer.get(10, TimeUnit.SECONDS);
        }
        assertThat(session.execute("SELECT added FROM busy_row").all())
                .extracting(row -> row.getString(0))
                .hasSize(ids.size())
                .containsOnly("kept");
    }

    private void addColumn(String table) {
        session.execute("ALTER TABLE %s ADD added text".formatted(table));
        session.execute("UPDATE %s SET added = 'kept' WHERE id = ?".formatted(table), id);
        assertThat(application
                        .getBean(CqlSession.class)
                        .getMetadata()
                        .getKeyspace(session.getKeyspace().orElseThrow())
                        .orElseThrow()
                        .getTable(table)
                        .orElseThrow()
                        .getColumn("added"))
                .as("the application has not heard of it")
                .isEmpty();
    }

    private void assertNewColumnSurvives(String table) {
        var row = session.execute("SELECT one, two, added FROM %s WHERE id = ?".formatted(table), id)
                .one();
        assertThat(row.getString("one")).isEqualTo("new");
        assertThat(row.getString("two")).isNull();
        assertThat(row.getString("added")).isEqualTo("kept");
    }
}
