package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import io.surewrite.cql.session.ForgottenStatements;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.core.mapping.EmbeddedEntityOperations;
import org.springframework.util.ClassUtils;

/** Finds the table of an entity; follows the schema as it changes. */
final class OverwriteTargets {

    private static final Log log = LogFactory.getLog(OverwriteTargets.class);

    private static final int MOST_COLUMNS = 10_000;

    private final CqlSession session;
    private final CassandraConverter converter;
    private final EmbeddedEntityOperations embedded;
    private final Consumer<TableMetadata> used;
    private final Map<Class<?>, OverwriteTarget> targets = new ConcurrentHashMap<>();

    OverwriteTargets(CqlSession session, CassandraConverter converter, Consumer<TableMetadata> used) {
        this.session = session;
        this.converter = converter;
        this.used = used;
        this.embedded = new EmbeddedEntityOperations(converter.getMappingContext());
    }

    CassandraPersistentEntity<?> entity(Class<?> type) {
        return converter.getMappingContext().getRequiredPersistentEntity(ClassUtils.getUserClass(type));
    }

    OverwriteTarget target(CassandraPersistentEntity<?> entity) {
        TableMetadata table = table(entity);
        OverwriteTarget known = targets.get(entity.getType());
        if (known != null && (known.table() == table || known.table().equals(table))) {
            return known;
        }
        OverwriteTarget target = read(entity, table);
        if (targets.put(entity.getType(), target) == null) {
            used.accept(table);
        }
        return target;
    }

    /** Whether a table has the columns that the driver knows, on all nodes. */
    CompletionStage<Boolean> isUpToDate(OverwriteTarget target) {
        TableMetadata table = target.table();
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

    CompletionStage<Metadata> refresh() {
        return session.refreshSchemaAsync();
    }

    void reportForgotten(PreparedStatement statement) {
        ForgottenStatements.report(session, statement);
    }

    void prepareAgain(PreparedStatement statement) {
        ForgottenStatements.prepareAgain(session, statement);
    }

    private TableMetadata table(CassandraPersistentEntity<?> entity) {
        CqlIdentifier own = entity.getKeyspace();
        CqlIdentifier keyspace = own != null ? own : session.getKeyspace().orElse(null);
        if (keyspace == null) {
            throw new UnsupportedOverwriteException(
                    "Neither " + entity.getName() + " nor the session names a keyspace: set one of them.");
        }
        return session.getMetadata()
                .getKeyspace(keyspace)
                .flatMap(found -> found.getTable(entity.getTableName()))
                .orElseThrow(() -> new UnsupportedOverwriteException("The driver knows no table "
                        + keyspace.asCql(true) + "." + entity.getTableName().asCql(true) + " for " + entity.getName()
                        + ": create it, and leave the driver's schema metadata switched on."));
    }

    private OverwriteTarget read(CassandraPersistentEntity<?> entity, TableMetadata table) {
        Map<CqlIdentifier, CassandraPersistentProperty> mapped = new LinkedHashMap<>();
        collect(entity, mapped);
        OverwriteTarget target = new OverwriteTarget(session.getContext(), entity, table, mapped);
        check(target, mapped);
        if (target.hasUnmappedColumns()) {
            log.warn(target.qualifiedName() + " has columns that " + entity.getName() + " does not map. Overwrites keep"
                    + " them, and so write a tombstone for every null.");
        }
        return target;
    }

    private void collect(CassandraPersistentEntity<?> entity, Map<CqlIdentifier, CassandraPersistentProperty> mapped) {
        for (CassandraPersistentProperty property : entity) {
            if (property.isCompositePrimaryKey()) {
                collect(converter.getMappingContext().getRequiredPersistentEntity(property), mapped);
            } else if (property.isEmbedded() && property.isWritable()) {
                collect(embedded.getEntity(property), mapped);
            } else if (property.isWritable()) {
                mapped.put(property.getRequiredColumnName(), property);
            }
        }
    }

    private static void check(OverwriteTarget target, Map<CqlIdentifier, CassandraPersistentProperty> mapped) {
        TableMetadata table = target.table();
        for (CqlIdentifier column : mapped.keySet()) {
            if (!table.getColumns().containsKey(column)) {
                throw new UnsupportedOverwriteException(target.entity().getName() + " maps the column "
                        + column.asCql(true) + ", which " + target.qualifiedName() + " does not have.");
            }
        }
        for (ColumnMetadata key : table.getPrimaryKey()) {
            if (!mapped.containsKey(key.getName())) {
                throw new UnsupportedOverwriteException(target.entity().getName() + " does not map "
                        + key.getName().asCql(true) + " of the primary key of " + target.qualifiedName() + ".");
            }
        }
        if (target.columns().stream().anyMatch(column -> column.type().equals(DataTypes.COUNTER))) {
            throw new UnsupportedOverwriteException(
                    target.qualifiedName() + " holds counters, which can only be counted, not written.");
        }
    }
}
