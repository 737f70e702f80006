package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.cql.analysis.IdempotenceCheck;
import io.surewrite.cql.analysis.IdempotenceVerdict;
import io.surewrite.cql.analysis.Refusal;
import io.surewrite.cql.analysis.TableLookup;
import io.surewrite.cql.analysis.WriteFacts;
import io.surewrite.cql.analysis.IdempotenceCheck;
import io.surewrite.cql.analysis.IdempotenceVerdict;
import io.surewrite.cql.analysis.Refusal;
import io.surewrite.cql.analysis.TableLookup;
import io.surewrite.cql.analysis.WriteFacts;
import io.surewrite.schema.tables.GcGrace;
import io.surewrite.schema.tables.TablesInUse;
import io.surewrite.schema.tables.GcGrace;
import io.surewrite.schema.tables.TablesInUse;
import io.surewrite.session.SureSession;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.repository.Repository;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.util.StringUtils;

/** Finds out what a repository method will send, and whether that may be sent twice. */
final class RepositoryWrites {

    /** As {@link org.springframework.data.repository.query.parser.PartTree} reads a method's name. */
    private static final Pattern DERIVED_DELETE = Pattern.compile("(delete|remove)(\\p{Lu}.*?)??By.*");

    private static final Pattern BASE_WRITE = Pattern.compile("(save|insert|delete).*");

    private static final Pattern BASE_READ = Pattern.compile("(find|exists|count).*");

    private static final Set<String> SINGLE_WRITES = Set.of("save", "insert", "delete", "deleteById");

    private static final Set<String> STREAM_WRITES = Set.of("saveAll", "insert", "deleteAll");

    private static final List<String> NO_WRITE = List.of("it writes nothing that could be kept");

    private final IdempotenceCheck check;
    private final SureSession own;
    private final CassandraMappingContext mapping;

    /**
     * @param own what belongs to the repository, whose schema and mapping are looked at
     */
    RepositoryWrites(IdempotenceCheck check, SureSession own) {
        this.check = check;
        this.own = own;
        this.mapping = own.converter().getMappingContext();
    }

    /** Why the method must not be retried; empty if it may be, or if only its author can tell. */
    List<String> reasonsAgainst(RepositoryInformation repository, Method method) {
        Query query = AnnotatedElementUtils.findMergedAnnotation(method, Query.class);
        if (query != null && StringUtils.hasText(query.value())) {
            return reasons(check.check(query.value(), schema()));
        }
        String name = method.getName();
        if (repository.isBaseClassMethod(method)) {
            if (isTruncation(repository, method)) {
                return List.of("'deleteAll()' truncates the table: a late attempt also deletes what was written since."
                        + " Instead, delete the rows you mean, or call it without a retry");
            }
            return name.startsWith("save") || name.startsWith("insert")
                    ? againstOverwrite(repository)
                    : name.startsWith("delete") ? againstDelete(repository) : List.of();
        }
        return isDerivedDelete(repository, method) ? againstDelete(repository) : List.of();
    }

    /** Whether the method certainly sends nothing but reads. */
    private boolean onlyReads(RepositoryInformation repository, Method method) {
        Query query = AnnotatedElementUtils.findMergedAnnotation(method, Query.class);
        if (query != null && StringUtils.hasText(query.value())) {
            return query.value().stripLeading().regionMatches(true, 0, "select", 0, "select".length());
        }
        return repository.isBaseClassMethod(method)
                ? BASE_READ.matcher(method.getName()).matches()
                : isDerived(repository, method)
                        && query == null
                        && !DERIVED_DELETE.matcher(method.getName()).matches();
    }

    /** What the method does with a publisher among its arguments. */
    Streams streams(RepositoryInformation repository, Method method) {
        if (onlyReads(repository, method)) {
            return Streams.READ;
        }
        if (!repository.isBaseClassMethod(method)) {
            return Streams.OF_ITS_OWN;
        }
        if (!STREAM_WRITES.contains(method.getName())) {
            return Streams.FIRST;
        }
        return RepositoryConstraints.isAnnotated(repository.getRepositoryInterface())
                ? Streams.ELEMENTS_IN_ORDER
                : Streams.ELEMENTS;
    }

    /** Why a write must not be attempted for so long: deleted data may come back. */
    List<String> reasonsAgainst(Duration deadline, RepositoryInformation repository) {
        Optional<TableMetadata> table = table(entity(repository));
        Duration grace = table.map(GcGrace::of).orElse(null);
        if (grace != null && deadline.compareTo(grace) >= 0) {
            return List.of(
                    "the deadline %s is not below gc_grace_seconds = %s of table %s: an attempt that late may bring deleted data back. Instead, shorten the deadline"
                            .formatted(
                                    deadline,
                                    grace.toSeconds(),
                                    table.orElseThrow().getName().asCql(true)));
        }
        return List.of();
    }

    /** Why the method's write must not be kept for later; empty if it may be, or if only its author can tell. */
    List<String> reasonsAgainstWaiting(RepositoryInformation repository, Method method) {
        Query query = AnnotatedElementUtils.findMergedAnnotation(method, Query.class);
        if (RepositoryConstraints.isAnnotated(repository.getRepositoryInterface())) {
            return List.of("@UniqueBy decides by conditions, which cannot wait. Instead, leave whenExhausted at FAIL");
        }
        if (query != null && StringUtils.hasText(query.value())) {
            WriteFacts facts = check.check(query.value(), schema()).facts();
            return facts.tables().isEmpty() ? NO_WRITE : BacklogInspector.reasonsAgainst(facts);
        }
        if (isDerivedDelete(repository, method)) {
            return List.of();
        }
        if (!repository.isBaseClassMethod(method)) {
            return isDerived(repository, method) ? NO_WRITE : List.of();
        }
        if (!BASE_WRITE.matcher(method.getName()).matches()) {
            return NO_WRITE;
        }
        if (!SINGLE_WRITES.contains(method.getName()) || takesMany(method)) {
            return List.of("only save, insert, delete and deleteById of one entity send one statement, and half of an"
                    + " operation must not be kept. Instead, send a batch from a method of your own");
        }
        CassandraPersistentEntity<?> entity = entity(repository);
        return method.getName().startsWith("delete")
                ? List.of()
                : table(entity)
                        .map(table -> BacklogInspector.reasonsAgainst(
                                check.checkOverwrite(table, EntityColumns.of(entity, mapping))
                                        .facts()))
                        .orElse(List.of());
    }

    private static boolean takesMany(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .anyMatch(type -> Iterable.class.isAssignableFrom(type)
                        || type.getName().equals("org.reactivestreams.Publisher"));
    }

    static boolean isTruncation(RepositoryInformation repository, Method method) {
        return method.getName().equals("deleteAll")
                && method.getParameterCount() == 0
                && repository.isBaseClassMethod(method);
    }

    private List<String> againstOverwrite(RepositoryInformation repository) {
        CassandraPersistentEntity<?> entity = entity(repository);
        if (entity.hasVersionProperty()) {
            return List.of(("%s has a @Version, so that it is written with a condition: a retry cannot tell its own"
                            + " earlier attempt from another's. Instead, read again and decide again")
                    .formatted(entity.getType().getSimpleName()));
        }
        return table(entity)
                .map(table -> reasons(check.checkOverwrite(table, EntityColumns.of(entity, mapping))))
                .orElseGet(() -> unknown(entity));
    }

    private List<String> againstDelete(RepositoryInformation repository) {
        CassandraPersistentEntity<?> entity = entity(repository);
        return table(entity).map(table -> reasons(check.checkDelete(table))).orElseGet(() -> unknown(entity));
    }

    private List<String> unknown(CassandraPersistentEntity<?> entity) {
        CqlSession current = own.session();
        String there = current.getKeyspace()
                .flatMap(current.getMetadata()::getKeyspace)
                .map(keyspace -> keyspace.getTables().keySet().stream()
                        .map(name -> name.asCql(true))
                        .sorted()
                        .limit(20)
                        .collect(Collectors.joining(", ", "; there are: ", "")))
                .orElse("");
        return List.of(("the table %s of %s does not exist%s. Instead, correct @Table, or create the table before the"
                        + " application starts, for example by a file in surewrite.schema.locations (and keep the"
                        + " driver's schema metadata enabled)")
                .formatted(entity.getTableName().asCql(true), entity.getType().getSimpleName(), there));
    }

    private static List<String> reasons(IdempotenceVerdict verdict) {
        return verdict.refusals().stream().map(Refusal::message).toList();
    }

    static boolean isDerivedDelete(RepositoryInformation repository, Method method) {
        return isDerived(repository, method)
                && DERIVED_DELETE.matcher(method.getName()).matches();
    }

    /** Not of a fragment, even if declared again, and not the interface's own code: Spring Data makes the statement from the name. */
    private static boolean isDerived(RepositoryInformation repository, Method method) {
        Class<?> declaring = method.getDeclaringClass();
        return !method.isDefault()
                && !repository.isCustomMethod(method)
                && (declaring == repository.getRepositoryInterface() || Repository.class.isAssignableFrom(declaring));
    }

    private CassandraPersistentEntity<?> entity(RepositoryInformation repository) {
        return mapping.getRequiredPersistentEntity(repository.getDomainType());
    }

    private Optional<TableMetadata> table(CassandraPersistentEntity<?> entity) {
        return schema().findTable(entity.getKeyspace(), entity.getTableName());
    }

    /** Tells which table the repository's sure writes rely on, and how it must be. */
    void register(RepositoryInformation repository, TablesInUse tables, Supplier<List<String>> reasons) {
        table(entity(repository))
                .ifPresent(table -> tables.add(
                        own.session(),
                        table,
                        "@Idempotent of " + repository.getRepositoryInterface().getSimpleName(),
                        now -> reasons.get()));
    }

    private TableLookup schema() {
        CqlSession current = own.session();
        return TableLookup.of(current.getMetadata(), current.getKeyspace().orElse(null));
    }
}
