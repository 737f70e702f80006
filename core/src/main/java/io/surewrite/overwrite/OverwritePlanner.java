package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.cql.TableLookup;
import io.surewrite.internal.rows.RowTable;
import io.surewrite.internal.rows.TimedRow;
import io.surewrite.overwrite.OverwriteException.Reason;
import io.surewrite.overwrite.OverwritePlan.OverwriteKind;
import io.surewrite.overwrite.OverwritePlan.Part;
import io.surewrite.overwrite.OverwritePlan.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.util.ClassUtils;

/** Finds the table of an entity, decides how to write, and refuses what cannot be written as one mutation. */
final class OverwritePlanner {

    private static final Log log = LogFactory.getLog(OverwritePlanner.class);

    private static final int MOST_COLUMNS = 10_000;

    /** The longest time to live that Cassandra takes. */
    private static final Duration LONGEST_TTL = Duration.ofDays(20 * 365);

    /** The protocol counts them in two bytes. */
    private static final int MOST_STATEMENTS = 65_535;

    private final CqlSession session;
    private final CassandraConverter converter;
    /** Receives each table before it is first overwritten; may refuse it. */
    private final Consumer<TableMetadata> used;

    /** Stands in for the server's limit for batches, which does not hold for a single mutation. */
    private final long maxBytes;

    private final Map<Class<?>, Target> targets = new ConcurrentHashMap<>();

    OverwritePlanner(CqlSession session, CassandraConverter converter, Consumer<TableMetadata> used, long maxBytes) {
        this.session = session;
        this.converter = converter;
        this.used = used;
        this.maxBytes = maxBytes;
    }

    EntityTable target(Class<?> type) {
        return target(entityOf(type));
    }

    @Nullable
    String reasonAgainst(Class<?> type) {
        CassandraPersistentEntity<?> entity = entityOf(type);
        if (findTable(entity).isEmpty()) {
            return null;
        }
        try {
            var unused = target(type);
            return null;
        } catch (OverwriteException refused) {
            return refused.getMessage();
        }
    }

    CassandraPersistentEntity<?> entity(Object entity) {
        return entityOf(entity.getClass());
    }

    OverwritePlan overwrite(Object entity, OverwriteOptions options, long timestamp) {
        EntityTable target = target(entity.getClass());
        return overwrite(target, read(entity, target, options, timestamp), options);
    }

    OverwritePlan again(OverwritePlan plan, long timestamp) {
        EntityTable target = target(plan.target().entity());
        return overwrite(target, plan.first().at(timestamp, plan.first().ttl()), plan.options());
    }

    private OverwritePlan overwrite(EntityTable target, TimedRow row, OverwriteOptions options) {
        RowTable table = target.table();
        OverwriteKind kind = OverwriteKind.ROW;
        Text text = row.hasAny(table.multiCells()) ? Text.REPLACE_AND_EXTEND : Text.REPLACE;
        if (table.multiCells().isEmpty() && row.hasAll(table.cells())) {
            kind = OverwriteKind.INSERT;
            text = Text.INSERT;
        } else if (target.hasUnmappedColumns()) {
            kind = OverwriteKind.NULLS;
            text = Text.INSERT_NULLS;
        }
        checkSize(table, row.size());
        return new OverwritePlan(target, kind, List.of(new Part(text.of(table), row)), options);
    }

    OverwritePlan partition(Class<?> type, Object key, List<?> entities, OverwriteOptions options, long timestamp) {
        EntityTable target = target(type);
        if (target.entity().hasVersionProperty() || options.detectTies()) {
            throw OverwriteException.unsupported("A partition is replaced by one plain mutation: neither versions of"
                    + " entities nor ties of its rows can be checked. Fix: overwrite the rows one by one.");
        }
        RowTable table = target.table();
        TimedRow partition = target.partition(key);
        List<Part> parts = new ArrayList<>();
        parts.add(new Part(Text.DELETE_PARTITION.of(table), partition.at(timestamp, ttlSeconds(options))));
        for (Object entity : entities) {
            TimedRow row = read(entity, target, options, timestamp);
            if (!row.key(table.partitionKey()).equals(partition.key(table.partitionKey()))) {
                throw new OverwriteException(
                        Reason.FOREIGN_ROW,
                        "A row given for a partition of " + table.qualifiedName()
                                + " has another partition key: nothing was replaced. Fix: give rows of the partition only.");
            }
            parts.add(new Part(Text.INSERT.of(table), row));
            if (row.hasAny(table.multiCells())) {
                parts.add(new Part(Text.EXTEND.of(table), row));
            }
        }
        OverwritePlan plan = new OverwritePlan(target, OverwriteKind.PARTITION, parts, options);
        checkSize(table, plan.bytes());
        if (parts.size() > MOST_STATEMENTS) {
            throw new OverwriteException(
                    Reason.TOO_LARGE,
                    "A partition of " + table.qualifiedName() + " would take "
                            + parts.size() + " statements, and " + MOST_STATEMENTS
                            + " are the most for one batch. Fix: write fewer rows.");
        }
        return plan;
    }

    private TimedRow read(Object entity, EntityTable target, OverwriteOptions options, long timestamp) {
        TimedRow row = target.row(entity).at(timestamp, ttlSeconds(options));
        if (OverwritePlan.ends(target, row) && row.hasAny(target.table().statics())) {
            String whose = row.ttl() == null ? "The default_time_to_live" : "A time to live";
            throw OverwriteException.unsupported(whose + " would also end the static columns of "
                    + target.table().qualifiedName() + ", which all rows of the partition share."
                    + " Fix: write those by themselves, with a time to live of zero, and leave them null here.");
        }
        return row;
    }

    // ---- bad input is refused before anything is sent ----

    @Nullable
    Integer ttlSeconds(OverwriteOptions options) {
        Duration ttl = options.ttl();
        if (ttl == null) {
            return null;
        }
        if (ttl.isNegative() || ttl.compareTo(LONGEST_TTL) > 0) {
            throw OverwriteException.unsupported(
                    "The time to live " + ttl + " is not between 0 and 20 years. Fix: give one that is.");
        }
        return (int) ttl.plusSeconds(1).minusNanos(1).toSeconds();
    }

    private void checkSize(RowTable table, long bytes) {
        if (bytes > maxBytes) {
            throw new OverwriteException(
                    Reason.TOO_LARGE,
                    "An overwrite in " + table.qualifiedName() + " takes " + bytes
                            + " bytes, and surewrite.overwrite.max-size allows " + maxBytes
                            + ": as one mutation it is held in memory whole, by the coordinator and by every replica. Fix: write"
                            + " smaller rows, or fewer at a time.");
        }
    }

    // ---- the table of an entity, which changes with the schema ----

    private CassandraPersistentEntity<?> entityOf(Class<?> type) {
        return converter.getMappingContext().getRequiredPersistentEntity(ClassUtils.getUserClass(type));
    }

    private EntityTable target(CassandraPersistentEntity<?> entity) {
        TableMetadata table = table(entity);
        Target known = targets.get(entity.getType());
        if (known != null && known.seen() == table) {
            return known.target();
        }
        if (known != null && known.seen().equals(table)) {
            targets.put(entity.getType(), new Target(table, known.target()));
            return known.target();
        }
        if (table.isCompactStorage()) { // the driver hides columns that the server has
            throw OverwriteException.unsupported(
                    "The table %1$s is WITH COMPACT STORAGE: the driver does not show all of its columns, and nobody can tell what a deletion of the row would erase. Fix: run ALTER TABLE %1$s DROP COMPACT STORAGE, or save without overwriting."
                            .formatted(CqlText.Name.of(table)));
        }
        EntityTable target = EntityTable.of(session.getContext(), table, converter, entity);
        if (target.hasUnmappedColumns()) {
            log.warn(target.table().qualifiedName() + " has columns that " + entity.getName()
                    + " does not map. Overwrites keep" + " them, and so write a tombstone for every null.");
        }
        if (known == null) {
            used.accept(table);
        }
        targets.put(entity.getType(), new Target(table, target));
        return target;
    }

    /** When anything changes in a keyspace, the driver makes new objects of its tables, which are compared once, not for each row. */
    private record Target(TableMetadata seen, EntityTable target) {}

    /** Whether a table has the columns that the driver knows, on all nodes. */
    CompletionStage<Boolean> isUpToDate(EntityTable target) {
        TableMetadata table = target.table().metadata();
        Set<String> known = table.getColumns().keySet().stream()
                .map(CqlIdentifier::asInternal)
                .collect(Collectors.toSet());
        SimpleStatement read = SimpleStatement.newInstance(
                        "SELECT column_name FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ?",
                        table.getKeyspace().asInternal(),
                        table.getName().asInternal())
                .setIdempotent(true)
                .setPageSize(MOST_COLUMNS);
        return session.checkSchemaAgreementAsync()
                .thenCompose(agreed -> session.executeAsync(read))
                .thenApply(rows -> {
                    Set<String> actual = new HashSet<>();
                    rows.currentPage().forEach(row -> actual.add(row.getString(0)));
                    return actual.equals(known);
                });
    }

    /** What {@link #isUpToDate} denies again and again. */
    static OverwriteException hiddenColumns(EntityTable target) {
        return OverwriteException.unsupported(
                ("The columns of %s that the driver knows stay others than those of the server, so that nobody can tell what a deletion of the"
                                + " row would erase. Fix: leave the driver's schema metadata switched on, and look whether the table is altered again and again.")
                        .formatted(target.table().qualifiedName()));
    }

    private Optional<TableMetadata> findTable(CassandraPersistentEntity<?> entity) {
        return TableLookup.of(session).findTable(entity.getKeyspace(), entity.getTableName());
    }

    private TableMetadata table(CassandraPersistentEntity<?> entity) {
        return findTable(entity).orElseThrow(() -> {
            CqlText.Name name = new CqlText.Name(entity.getKeyspace(), entity.getTableName())
                    .in(session.getKeyspace().orElse(null));
            return OverwriteException.unsupported(
                    "The driver knows no table %s for %s. Fix: create it, name its keyspace, and leave the driver's schema metadata switched on."
                            .formatted(name, entity.getName()));
        });
    }
}
