package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
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
import org.springframework.context.annotation.Configuration;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/** An application that runs while a new release adds a column: the driver hears of it a minute later. */
class ColumnAddedIntegrationTests extends CassandraTest {

    private static ApplicationContext application;

    @Table("busy_row")
    record BusyRow(
            @PrimaryKey UUID id,
            @Nullable String one,
            @Nullable String two) {}

    @Configuration(proxyBeanMethods = false)
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
        session.execute("CREATE TABLE busy_row (id uuid PRIMARY KEY, one text, two text)");
        application = shared(List.of(), Application.class);
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
