package io.surewrite.unique;

import static org.mockito.Mockito.mock;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.lwt.SettlingConditionalWrites;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import io.surewrite.unique.WholeTable.UniqueScanSettings;
import io.surewrite.write.ConditionalWrites;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;

/** A guard on a real server, and rows written by plain statements. */
final class UniqueFixture {

    static final UniqueSettings SETTINGS = new UniqueSettings(
            Duration.ofSeconds(2),
            Duration.ofMillis(100),
            Duration.ofMillis(300),
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            false);

    /** They give up soon where there is no answer. */
    static final UniqueSettings IMPATIENT = new UniqueSettings(
            Duration.ofSeconds(2),
            Duration.ofMillis(100),
            Duration.ofMillis(100),
            Duration.ofMillis(400),
            Duration.ofMillis(300),
            false);

    /** In how many parts tables are looked at. */
    static final int SLICES = 32;

    private final CqlSession session;
    private final ConditionalWrites writes;
    private final UniqueSettings settings;
    private final ClaimingGuard guard;
    private final CassandraClaimStore store;

    UniqueFixture(CqlSession session, ObservationRegistry observations) {
        this(session, observations, SETTINGS);
    }

    UniqueFixture(CqlSession session, ObservationRegistry observations, UniqueSettings settings) {
        this.session = session;
        createTable("claim");
        createTable("value");
        createTable("unique_repair");
        this.settings = settings;
        writes = SettlingConditionalWrites.on(session, ObservationRegistry.NOOP);
        guard = ClaimingGuard.on(session, writes, "surewrite_claim", "surewrite_value", settings, observations);
        store = new CassandraClaimStore(session, writes, "surewrite_claim", settings);
    }

    /** The session, where some requests have no answer. */
    static CqlSession failing(CqlSession session, Predicate<BoundStatement> fails) {
        return Wire.between(
                session,
                (number, statement, request) -> statement instanceof BoundStatement bound && fails.test(bound)
                        ? CompletableFuture.failedFuture(new DriverTimeoutException("no answer"))
                        : request.get());
    }

    private void createTable(String name) {
        try {
            session.execute(new ClassPathResource("io/surewrite/schema/" + name + ".cql")
                    .getContentAsString(StandardCharsets.UTF_8)
                    .replace("${table}", "surewrite_" + name));
        } catch (IOException unreadable) {
            throw new java.io.UncheckedIOException(unreadable);
        }
    }

    ClaimingGuard guard() {
        return guard;
    }

    void insert(ConstrainedRows rows, EntityWrite write) {
        DriverFailures.joined(guard.insertAsync(rows, write));
    }

    void change(ConstrainedRows rows, EntityWrite write) {
        DriverFailures.joined(guard.changeAsync(rows, write));
    }

    void overwrite(ConstrainedRows rows, EntityWrite write) {
        DriverFailures.joined(guard.overwriteAsync(rows, write));
    }

    void delete(ConstrainedRows rows, String owner) {
        DriverFailures.joined(guard.deleteAsync(rows, owner));
    }

    Optional<String> findOwner(ConstrainedRows rows, UniqueConstraint constraint, @Nullable Object... value) {
        return DriverFailures.joined(guard.findOwnerAsync(rows, constraint, constraint.value(Arrays.asList(value))));
    }

    ClaimStore store() {
        return store;
    }

    ClaimStore store(UniqueSettings other) {
        return new CassandraClaimStore(session, writes, "surewrite_claim", other);
    }

    /** Looks after the claims of one table. */
    UniqueConstraints constraints(String table, UniqueConstraint... constraints) {
        UniqueCatalog catalog = new UniqueCatalog();
        String name = session.getKeyspace().orElseThrow().asCql(true) + "." + table;
        for (UniqueConstraint constraint : constraints) {
            catalog.add(new UniqueCatalog.Entry(
                    constraint,
                    name,
                    constraint.name(),
                    () -> rows(table, constraints),
                    mock(UniqueCatalog.Mapping.class)));
        }
        return new CatalogedConstraints(
                session,
                writes,
                "surewrite_claim",
                "surewrite_unique_repair",
                settings,
                new UniqueScanSettings(32, 0, 5, SLICES),
                catalog);
    }

    CqlRows rows(String table, UniqueConstraint... constraints) {
        return CqlRows.of(
                session,
                session.getMetadata()
                        .getKeyspace(session.getKeyspace().orElseThrow())
                        .orElseThrow()
                        .getTable(table)
                        .orElseThrow(),
                List.of(constraints));
    }

    /** A write of a whole row, given as column, value, column, value. */
    EntityWrite write(CqlRows rows, String table, @Nullable Object... columnsAndValues) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        for (int i = 0; i < columnsAndValues.length; i += 2) {
            row.put((String) columnsAndValues[i], columnsAndValues[i + 1]);
        }
        String insert = "INSERT INTO %s (%s) VALUES (%s)"
                .formatted(
                        table,
                        String.join(", ", row.keySet()),
                        String.join(", ", Collections.nCopies(row.size(), "?")));
        return written(
                rows,
                row,
                timestamp -> session.executeAsync(
                                SimpleStatement.newInstance(insert, row.values().toArray())
                                        .setExecutionProfileName(ConditionalWrites.PROFILE)
                                        .setQueryTimestamp(timestamp))
                        .thenAccept(done -> {}));
    }

    /** A row on its way, whose unique values are whole columns; it has at least those, and a primary key of one. */
    static EntityWrite written(
            CqlRows rows,
            Map<String, ? extends @Nullable Object> columns,
            LongFunction<CompletionStage<Void>> writing) {
        CqlIdentifier key = rows.table().primaryKey().get(0).name();
        return new EntityWrite(
                rows.owner(Map.of(key, columns.get(key.asInternal()))),
                constraint -> constraint.value(constraint.components().stream()
                        .map(component -> columns.get(component.column().asInternal()))
                        .toList()),
                writing);
    }
}
