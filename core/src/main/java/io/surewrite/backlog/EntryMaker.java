package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.data.ByteUtils;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import io.surewrite.backlog.StoredWriteBacklog.BacklogSession;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.cql.IdempotenceCheck;
import io.surewrite.internal.cql.IdempotenceVerdict;
import io.surewrite.internal.cql.TableLookup;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes an entry of a statement, without a word to the cluster: it is away. May wait what the idempotence check accepts, and a
 * time to live where it is a bind marker: the backlog then gives what is left of it.
 */
final class EntryMaker {

    private static final IdempotenceCheck CHECK = new IdempotenceCheck(true);

    private final BacklogSession own;
    private final Duration margin;
    private final long decided;
    private final List<String> reasons = new ArrayList<>();
    private final List<BacklogEntry.Part> parts = new ArrayList<>();

    /**
     * The oldest timestamp. What deletes the write carries a later one and was made after it, so that its tombstone is there at
     * least until {@code gc_grace_seconds} after this.
     */
    private long oldest;

    /** The shortest time for which a table keeps its tombstones; null if no table is known. */
    private @Nullable Duration grace;

    private boolean elsewhere;

    private EntryMaker(BacklogSession own, Duration margin, long decided, long timestamp) {
        this.own = own;
        this.margin = margin;
        this.decided = decided;
        this.oldest = timestamp;
    }

    static BacklogEntry entry(
            BacklogSession own, Duration margin, String operation, long decided, Statement<?> statement) {
        long timestamp = statement.getQueryTimestamp() == Statement.NO_DEFAULT_TIMESTAMP
                ? decided
                : statement.getQueryTimestamp();
        return new EntryMaker(own, margin, decided, timestamp).entry(operation, timestamp, statement);
    }

    static BacklogException refused(String operation, List<String> reasons) {
        return new BacklogException(
                BacklogException.Reason.REFUSED,
                "%s cannot be kept in the backlog: %s".formatted(operation, String.join("; ", reasons)));
    }

    private BacklogEntry entry(String operation, long timestamp, Statement<?> statement) {
        DefaultBatchType type = null;
        if (statement instanceof BatchStatement batch) {
            type = (DefaultBatchType) batch.getBatchType();
            batch.forEach(part -> add((Statement<?>) part));
            if (type == DefaultBatchType.COUNTER) {
                reasons.add("a batch of counters counts again");
            }
        } else {
            add(statement);
        }
        if (elsewhere || statement.getKeyspace() != null) {
            reasons.add("its keyspace is set apart from the text. Fix: write it in front of the table's name");
        }
        if (grace == null) {
            reasons.add("it writes no table that is known here");
        }
        if (grace == null || !reasons.isEmpty()) {
            throw refused(operation, reasons);
        }
        return new BacklogEntry(
                own.name(),
                own.session().getMetadata().getClusterName().orElse(""),
                operation,
                type,
                own.session().getKeyspace().map(CqlIdentifier::asInternal).orElse(""),
                consistency(statement),
                timestamp,
                BacklogEntry.usefulUntil(oldest, grace, margin),
                parts);
    }

    private void add(Statement<?> part) {
        elsewhere |= part.getKeyspace() != null;
        String cql = CqlText.of(part).cql();
        IdempotenceVerdict found = CHECK.check(cql, TableLookup.of(own.session()));
        reasons.addAll(found.reasons());
        reasons.addAll(found.reasonsAgainstWaiting());
        List<BacklogEntry.Table> tables = found.tables().stream()
                .map(table -> new BacklogEntry.Table(
                        table.getKeyspace(), table.getName(), table.getId().orElse(null)))
                .toList();
        List<BacklogEntry.Value> values = values(part);
        if (part instanceof SimpleStatement simple && !simple.getNamedValues().isEmpty()) {
            reasons.add("its values are given by name. Fix: prepare the statement, or give them by position");
        }
        if (!found.ttlMarkers().isEmpty() && tables.size() > 1) {
            reasons.add("one text writes more than one row, and with a TTL. Fix: send a batch of single statements");
        }
        for (int marker : found.timestampMarkers()) {
            long stated = number(values, marker);
            oldest = stated == 0 ? oldest : Math.min(oldest, stated);
        }
        found.tables().forEach(this::addGrace);
        int ttl = found.ttlMarkers().isEmpty() ? -1 : found.ttlMarkers().get(0);
        long seconds = ttl < 0 ? 0 : number(values, ttl);
        parts.add(new BacklogEntry.Part(
                cql,
                tables,
                values,
                seconds > 0 ? ttl : -1,
                seconds > 0 ? BacklogEntry.instant(decided).plusSeconds(seconds) : null));
    }

    private void addGrace(TableMetadata table) {
        Duration kept = TableLookup.gcGrace(table);
        if (kept == null || kept.compareTo(margin) <= 0) {
            reasons.add(
                    "gc_grace_seconds = %s of table %s is not above the margin of %s: a write that waits could bring deleted data back. Fix: raise it"
                            .formatted(
                                    kept == null ? "(unknown)" : kept.toSeconds(),
                                    table.getName().asCql(true),
                                    margin));
        }
        if (kept != null && (grace == null || kept.compareTo(grace) < 0)) {
            grace = kept;
        }
    }

    private String consistency(Statement<?> statement) {
        if (statement.getConsistencyLevel() != null) {
            return statement.getConsistencyLevel().name();
        }
        DriverExecutionProfile profile = statement.getExecutionProfile();
        if (profile == null) {
            DriverConfig config = own.session().getContext().getConfig();
            String name = statement.getExecutionProfileName();
            profile = name == null ? config.getDefaultProfile() : config.getProfile(name);
        }
        return profile.getString(DefaultDriverOption.REQUEST_CONSISTENCY);
    }

    private List<BacklogEntry.Value> values(Statement<?> statement) {
        List<BacklogEntry.Value> values = new ArrayList<>();
        if (statement instanceof BoundStatement bound) {
            for (int i = 0; i < bound.size(); i++) {
                boolean isSet = bound.isSet(i);
                values.add(new BacklogEntry.Value(isSet, isSet ? bytes(bound.getBytesUnsafe(i)) : null));
            }
        } else if (statement instanceof SimpleStatement simple) {
            simple.getPositionalValues().forEach(value -> values.add(new BacklogEntry.Value(true, encode(value))));
        }
        return values;
    }

    private byte @Nullable [] encode(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        TypeCodec<Object> codec = own.session().getContext().getCodecRegistry().codecFor(value);
        return bytes(codec.encode(value, own.session().getContext().getProtocolVersion()));
    }

    private static byte @Nullable [] bytes(@Nullable ByteBuffer buffer) {
        return buffer == null ? null : ByteUtils.getArray(buffer);
    }

    /** An int or bigint of the protocol; 0 if it is not given. */
    private static long number(List<BacklogEntry.Value> values, int index) {
        byte[] bytes = index < values.size() ? values.get(index).bytes() : null;
        if (bytes == null) {
            return 0;
        }
        return bytes.length == Integer.BYTES
                ? ByteBuffer.wrap(bytes).getInt()
                : ByteBuffer.wrap(bytes).getLong();
    }
}
