package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.cql.RowText;
import io.surewrite.internal.cql.RowText.Action;
import io.surewrite.internal.cql.RowText.Term;
import io.surewrite.write.WriteId;
import io.surewrite.write.WriteOutcome;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ResolvableType;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.repository.query.CassandraParameters;
import org.springframework.data.cassandra.repository.query.CassandraParameters.CassandraParameter;
import org.springframework.data.repository.query.ParametersSource;

/** A statement of a method with a condition that can be settled: it writes the id of its call, or deletes the row. */
record ConditionalText(
        PlannedRepository repository,
        Method method,
        RowText says,
        TableMetadata table,
        List<Integer> parameters,
        @Nullable CassandraPersistentEntity<?> entity) {

    private static final Set<Class<?>> ANSWERS = Set.of(boolean.class, Boolean.class, WriteOutcome.class);

    /** What the statement of a method says; null if it has no condition, or one that cannot be settled. */
    static @Nullable ConditionalText of(PlannedRepository repository, Method method) {
        String cql = repository.statement(method);
        RowText says = cql == null || !CqlText.mayBeConditional(SimpleStatement.newInstance(cql))
                ? null
                : CqlText.of(cql).rows();
        TableMetadata table = says == null
                ? null
                : repository
                        .schema()
                        .findTable(says.table().keyspace(), says.table().table())
                        .orElse(null);
        if (says == null || table == null) {
            return null;
        }
        List<Integer> parameters = parameters(method);
        return says.action() == Action.DELETE || !parameters.isEmpty()
                ? new ConditionalText(
                        repository,
                        method,
                        says,
                        table,
                        parameters,
                        repository.table().filter(table::equals).isPresent() ? repository.entity() : null)
                : null;
    }

    static List<Integer> parameters(Method method) {
        return IntStream.range(0, method.getParameterCount())
                .filter(index -> method.getParameters()[index].isAnnotationPresent(WriteId.class))
                .boxed()
                .toList();
    }

    /** What a caller gets in the end, also later; null if that is unusual. */
    static @Nullable Class<?> answer(Method method) {
        ResolvableType answer = ResolvableType.forType(Signature.answer(method));
        ReactiveAdapter later = answer.resolve() == null ? null : RetriedMethod.reactive(answer.resolve());
        return later == null || later.isMultiValue() ? answer.resolve() : answer.resolveGeneric(0);
    }

    int parameter() {
        return parameters.isEmpty() ? -1 : parameters.get(0);
    }

    @Nullable
    CqlIdentifier writeId() {
        return says.values().entrySet().stream()
                .filter(value -> isOfId(value.getValue()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    private boolean isOfId(Term term) {
        if (parameters.isEmpty() || term.marker() < 0) {
            return false;
        }
        List<CassandraParameter> bound = new CassandraParameters(ParametersSource.of(repository.information(), method))
                .getBindableParameters()
                .toList();
        return IntStream.range(0, bound.size())
                .filter(place -> bound.get(place).getIndex() == parameter())
                .anyMatch(place -> term.name().equals(String.valueOf(place))
                        || bound.get(place)
                                .getName()
                                .filter(name -> term.name().equals(name.toLowerCase(Locale.ROOT)))
                                .isPresent());
    }

    /** Why nobody could tell what became of it; empty if the row tells. */
    List<String> reasonsAgainst() {
        List<String> reasons = new ArrayList<>();
        CqlIdentifier writeId = writeId();
        boolean isOneUuid = parameters.size() <= 1
                && parameters.stream().allMatch(index -> method.getParameterTypes()[index] == UUID.class);
        boolean isWritten = writeId != null
                && table.getPrimaryKey().stream()
                        .noneMatch(column -> column.getName().equals(writeId))
                && table.getColumn(writeId)
                        .map(ColumnMetadata::getType)
                        .filter(DataTypes.UUID::equals)
                        .isPresent();
        if (!parameters.isEmpty() && (!isOneUuid || !isWritten)) {
            reasons.add(
                    "@WriteId does not stand at the one parameter of type UUID that its statement writes into a uuid column."
                            + " Fix: write it so, as in 'SET write_id = :writeId', into a column that is no part of the key");
        }
        CassandraPersistentProperty version = entity == null ? null : entity.getVersionProperty();
        if (version != null && isIdOfEntity(writeId) && !counts(version.getRequiredColumnName())) {
            reasons.add(
                    "its statement writes the @WriteId of %s and does not count up its @Version, so that a save would take the row for another's. Fix: write the version, and compare the one before it"
                            .formatted(Objects.requireNonNull(entity).getType().getSimpleName()));
        }
        boolean endsItself = says.action() == Action.UPDATE
                ? !Collections.disjoint(
                        says.conditions().keySet(), says.values().keySet())
                : says.action() == Action.INSERT || !says.conditions().isEmpty();
        if (!endsItself) {
            reasons.add(
                    "its condition may still hold when the write is done, or hold again, so that a repetition writes over another's. Fix: compare a column that the statement changes, such as a version, or the write id that was read");
        }
        if (!table.getPrimaryKey().stream().allMatch(this::isBound)) {
            reasons.add(
                    "its statement does not bind each column of the key of %s, so that the row could not be looked at. Fix: bind them, as in 'WHERE id = :id'"
                            .formatted(table.getName().asCql(true)));
        }
        Class<?> answer = answer(method);
        if (answer == null || !ANSWERS.contains(answer)) {
            reasons.add(
                    "it has a condition and does not answer whether it held. Fix: answer a boolean or a WriteOutcome, at once or by a Mono");
        }
        return reasons;
    }

    private boolean isIdOfEntity(@Nullable CqlIdentifier writeId) {
        CassandraPersistentProperty own = Objects.requireNonNull(entity).getPersistentProperty(WriteId.class);
        return own != null && own.getRequiredColumnName().equals(writeId);
    }

    private boolean counts(CqlIdentifier version) {
        return says.values().containsKey(version)
                && (says.action() == Action.INSERT || says.conditions().containsKey(version));
    }

    private boolean isBound(ColumnMetadata column) {
        Term term = says.keyTerm(column.getName());
        return term != null && term.marker() >= 0;
    }
}
