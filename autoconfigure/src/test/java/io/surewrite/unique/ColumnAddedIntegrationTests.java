package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.test.CassandraTest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.context.ApplicationContext;
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

    private static ApplicationContext application;

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

    @Configuration(proxyBeanMethods = false)
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
        session.execute("CREATE TABLE guarded_row (id uuid PRIMARY KEY, one text, two text)");
        session.execute("CREATE TABLE busy_row (id uuid PRIMARY KEY, one text, two text)");
        application = shared(List.of(), Application.class);
    }

    @Test
    void guardedOverwritesKeepIt() {
        GuardedRows rows = application.getBean(GuardedRows.class);
        UUID id = UUID.randomUUID();
        rows.overwrite(new GuardedRow(id, "old", null));
        rows.overwrite(new GuardedRow(id, "older", "old"));
        session.execute("ALTER TABLE guarded_row ADD added text");
        session.execute("UPDATE guarded_row SET added = 'kept' WHERE id = ?", id);
        assertThat(application
                        .getBean(CqlSession.class)
                        .getMetadata()
                        .getKeyspace(keyspace.name())
                        .flatMap(found -> found.getTable("guarded_row"))
                        .orElseThrow()
                        .getColumn("added"))
                .as("the application has not heard of it")
                .isEmpty();

        rows.overwrite(new GuardedRow(id, "new", null));

        var row = session.execute("SELECT one, two, added FROM guarded_row WHERE id = ?", id)
                .one();
        assertThat(row.getString("one")).isEqualTo("new");
        assertThat(row.getString("two")).isNull();
        assertThat(row.getString("added")).isEqualTo("kept");
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
}
