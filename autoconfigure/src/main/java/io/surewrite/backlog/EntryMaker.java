package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.backlog.StatementInspector.Inspection;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Makes entries of statements, without a word to the cluster: it is away. */
final class EntryMaker {

    private final String name;
    private final CqlSession session;
    private final StatementInspector inspector;
    private final StatementValues values;
    private final Duration margin;

    EntryMaker(BacklogSession own, Duration margin) {
        this.name = own.name();
        this.session = own.session();
        this.inspector = own.inspector();
        this.values = new StatementValues(session);
        this.margin = margin;
    }

    /**
     * Makes an entry.
     *
     * @throws BacklogRefusedException if the statement must not wait
     */
    BacklogEntry entry(String operation, long decided, Statement<?> statement) {
        List<String> reasons = new ArrayList<>();
        long timestamp = statement.getQueryTimestamp() == Statement.NO_DEFAULT_TIMESTAMP
                ? decided
                : statement.getQueryTimestamp();
        Age age = new Age(timestamp);
        List<KeptStatement> kept = new ArrayList<>();
        for (Statement<?> part : parts(statement)) {
            kept.add(kept(part, decided, age, reasons));
        }
        if (statement instanceof BatchStatement batch && batch.getBatchType() == BatchType.COUNTER) {
            reasons.add("a batch of counters counts again");
        }
        if (parts(statement).stream().anyMatch(part -> part.getKeyspace() != null) || statement.getKeyspace() != null) {
            reasons.add("its keyspace is set apart from the text. Instead, write it in front of the table's name");
        }
        Instant usefulUntil = age.usefulUntil(margin);
        if (kept.isEmpty() || usefulUntil == null) {
            reasons.add("it writes no table that is known here");
        }
        if (!reasons.isEmpty() || usefulUntil == null) {
            throw new BacklogRefusedException(operation, reasons);
        }
        return new BacklogEntry(
                name,
                session.getMetadata().getClusterName().orElse(""),
                operation,
                kind(statement),
                session.getKeyspace().map(CqlIdentifier::asInternal).orElse(""),
                consistency(statement),
                timestamp,
                usefulUntil,
                kept);
    }

    private static List<Statement<?>> parts(Statement<?> statement) {
        if (!(statement instanceof BatchStatement batch)) {
            return List.of(statement);
        }
        List<Statement<?>> parts = new ArrayList<>();
        batch.forEach(part -> parts.add((Statement<?>) part));
        return parts;
    }

    private KeptStatement kept(Statement<?> part, long decided, Age age, List<String> reasons) {
        String cql = StatementValues.cql(part);
        Inspection found = inspector.inspect(cql);
        reasons.addAll(found.reasons());
        List<KeptValue> encoded = values.of(part);
        boolean inOrder = encoded.stream().allMatch(value -> value.name() == null);
        if (!inOrder
                && !(found.ttlMarkers().isEmpty() && found.timestampMarkers().isEmpty())) {
            reasons.add(
                    "its TTL or timestamp is given by name. Instead, prepare the statement, or give it by position");
            return new KeptStatement(cql, tables(found), encoded, -1, null);
        }
        if (!found.ttlMarkers().isEmpty() && found.tables().size() > 1) {
            reasons.add(
                    "one text writes more than one row, and with a TTL. Instead, send a batch of single statements");
        }
        found.timestampMarkers().forEach(marker -> age.stated(number(encoded, marker)));
        found.tables().forEach(table -> age.among(table, reasons, margin));
        int ttl = found.ttlMarkers().isEmpty() ? -1 : found.ttlMarkers().get(0);
        long seconds = ttl < 0 ? 0 : number(encoded, ttl);
        return new KeptStatement(
                cql,
                tables(found),
                encoded,
                seconds > 0 ? ttl : -1,
                seconds > 0 ? BacklogEntry.instant(decided).plusSeconds(seconds) : null);
    }

    private static List<KeptStatement.Table> tables(Inspection found) {
        return found.tables().stream()
                .map(table -> new KeptStatement.Table(table.getKeyspace(), table.getName()))
                .toList();
    }

    /** An int or bigint of the protocol; 0 if it is not given. */
    private static long number(List<KeptValue> values, int index) {
        byte[] bytes = index < values.size() ? values.get(index).bytes() : null;
        if (bytes == null) {
            return 0;
        }
        return bytes.length == Integer.BYTES
                ? ByteBuffer.wrap(bytes).getInt()
                : ByteBuffer.wrap(bytes).getLong();
    }

    private static BacklogEntry.Kind kind(Statement<?> statement) {
        if (!(statement instanceof BatchStatement batch)) {
            return BacklogEntry.Kind.SINGLE;
        }
        return batch.getBatchType() == DefaultBatchType.LOGGED ? BacklogEntry.Kind.LOGGED : BacklogEntry.Kind.UNLOGGED;
    }

    private String consistency(Statement<?> statement) {
        if (statement.getConsistencyLevel() != null) {
            return statement.getConsistencyLevel().name();
        }
        DriverExecutionProfile profile = statement.getExecutionProfile();
        if (profile == null) {
            String name = statement.getExecutionProfileName();
            profile = name == null
                    ? session.getContext().getConfig().getDefaultProfile()
                    : session.getContext().getConfig().getProfile(name);
        }
        return profile.getString(DefaultDriverOption.REQUEST_CONSISTENCY);
    }
}
