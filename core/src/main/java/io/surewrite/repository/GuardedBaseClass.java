package io.surewrite.repository;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.cql.analysis.CqlText;
import io.surewrite.unique.TrustedWrite;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NativeDetector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.EntityWriteResult;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.repository.support.SimpleCassandraRepository;
import org.springframework.data.cassandra.repository.support.SimpleReactiveCassandraRepository;
import reactor.core.publisher.Mono;

/**
 * A base class of repositories that is the application's own and extends Spring Data's: the operations that it works with are
 * exchanged for some whose writes of the entity go through the guard. So it makes no difference whether a method calls {@code
 * super.save} or the operations.
 *
 * @param operations the template
 * @param entity what the repository is for
 * @param mapping knows the tables of other entities
 * @param write write or delete one row through the guard; for a reactive repository they return a {@link Mono}
 * @param deleteAll does what {@code deleteAll()} does
 * @param trusted whether what cannot be guarded passes
 */
record GuardedBaseClass(
        Object operations,
        CassandraPersistentEntity<?> entity,
        CassandraMappingContext mapping,
        Map<RepositoryMutation, Function<Object, @Nullable Object>> write,
        GuardedDeleteAll deleteAll,
        boolean reactive,
        boolean trusted) {

    /** Truncates as Spring Data does. */
    @FunctionalInterface
    interface Truncation {

        @Nullable
        Object run() throws Throwable;
    }

    /** {@return the class of Spring Data that base classes extend} */
    static Class<?> springs(boolean reactive) {
        return reactive ? SimpleReactiveCassandraRepository.class : SimpleCassandraRepository.class;
    }

    /** Whether its methods are Spring Data's and the application's own. */
    static boolean isExtended(Class<?> base, boolean reactive) {
        Class<?> springs = springs(reactive);
        return base != springs && springs.isAssignableFrom(base);
    }

    static boolean isTrusted(Class<?> base) {
        return AnnotatedElementUtils.hasAnnotation(base, TrustedWrite.class);
    }

    /**
     * Exchanges the operations of an instance.
     *
     * @return whether none of the former ones are left in its fields
     */
    boolean guards(Object instance) {
        if (NativeDetector.inNativeImage()) {
            return false; // fields that nobody has registered are not seen there
        }
        Class<?> type = reactive ? ReactiveCassandraOperations.class : CassandraOperations.class;
        Object guarded = Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> invoke(method, arguments));
        Class<?> springs = springs(reactive);
        boolean exchanged = false;
        for (Class<?> declaring = instance.getClass();
                declaring != Object.class;
                declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                try {
                    field.setAccessible(true);
                    if (field.get(instance) != operations) {
                        continue;
                    }
                    if (field.getType() != type) {
                        return false; // a field of the template's class
                    }
                    field.set(instance, guarded);
                    exchanged |= declaring == springs;
                } catch (ReflectiveOperationException | RuntimeException hidden) {
                    return false;
                }
            }
        }
        return exchanged;
    }

    private @Nullable Object invoke(Method method, @Nullable Object @Nullable [] given) throws Throwable {
        @Nullable Object[] arguments = given == null ? new Object[0] : given;
        Object first = arguments.length == 0 ? null : arguments[0];
        boolean ours = entity.getType().isInstance(first);
        return switch (method.getName()) {
            case "insert", "update" -> {
                if (ours && arguments.length == 1) {
                    yield save(method.getName().equals("insert"), first);
                }
                if (ours && isPlain(arguments[1])) {
                    boolean nulls = ((InsertOptions) arguments[1]).isInsertNulls();
                    yield result(save(!nulls, first));
                }
                yield isOfTable(arguments) ? past(method, arguments) : pass(method, arguments);
            }
            case "delete" -> {
                if (ours && arguments.length == 1) {
                    Object deleted = one(RepositoryMutation.DELETE, first);
                    yield reactive
                            ? ((Mono<?>) Objects.requireNonNull(deleted)).thenReturn(Objects.requireNonNull(first))
                            : null;
                }
                yield isOfTable(arguments) ? past(method, arguments) : pass(method, arguments);
            }
            case "deleteById" -> {
                if (!isOfTable(arguments)) {
                    yield pass(method, arguments);
                }
                Object deleted = one(RepositoryMutation.DELETE, first);
                yield reactive ? ((Mono<?>) Objects.requireNonNull(deleted)).thenReturn(true) : (Object) true;
            }
            case "truncate" ->
                isOfTable(arguments) ? deleteAll.run(() -> pass(method, arguments), reactive) : pass(method, arguments);
            case "execute" ->
                first instanceof SimpleStatement statement && CqlText.isRead(statement)
                        ? pass(method, arguments)
                        : past(method, arguments);
            case "batchOps", "getCqlOperations", "getReactiveCqlOperations" -> past(method, arguments);
            default -> pass(method, arguments);
        };
    }

    private @Nullable Object save(boolean inserts, @Nullable Object row) {
        return one(inserts ? RepositoryMutation.INSERT : RepositoryMutation.SAVE, row);
    }

    private @Nullable Object one(RepositoryMutation mutation, @Nullable Object row) {
        return Objects.requireNonNull(write.get(mutation)).apply(Objects.requireNonNull(row));
    }

    /** A guard chooses timestamp and consistency itself, and its rows must not expire. */
    private static boolean isPlain(@Nullable Object options) {
        return options instanceof InsertOptions plain
                && plain.equals(InsertOptions.builder()
                        .withInsertNulls(plain.isInsertNulls())
                        .build());
    }

    /** Whether it is about rows of the table, be it by another entity type. */
    private boolean isOfTable(@Nullable Object[] arguments) {
        return Arrays.stream(arguments)
                .filter(Objects::nonNull)
                .map(argument -> argument instanceof Class<?> given ? given : argument.getClass())
                .anyMatch(type -> entity.getType().isAssignableFrom(type)
                        || (mapping.hasPersistentEntityFor(type)
                                && mapping.getRequiredPersistentEntity(type)
                                        .getTableName()
                                        .equals(entity.getTableName())));
    }

    private Object result(@Nullable Object saved) {
        Object written = Objects.requireNonNull(saved);
        return reactive ? ((Mono<?>) written).map(Written::new) : new Written<>(written);
    }

    /** What a template returns for a write without conditions. */
    private static final class Written<T> extends EntityWriteResult<T> {

        Written(T entity) {
            super(List.of(), true, List.of(), entity);
        }
    }

    private @Nullable Object past(Method method, @Nullable Object[] arguments) throws Throwable {
        if (trusted) {
            return pass(method, arguments);
        }
        throw new InvalidDataAccessApiUsageException(
                ("The base class of a repository with @UniqueBy calls %s of its operations, by which rows of %s could be written past the guard."
                                + " Instead, call insert, update, delete or deleteById with the entity, without options, or the methods of the"
                                + " superclass; or say by @TrustedWrite on the base class that it does no harm.")
                        .formatted(method.getName(), entity.getTableName().asCql(true)));
    }

    private @Nullable Object pass(Method method, @Nullable Object[] arguments) throws Throwable {
        try {
            return method.invoke(operations, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause() == null ? failure : failure.getCause();
        }
    }
}
