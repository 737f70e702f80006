package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.repository.PlannedRepository.Mutation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of a table that sure writes and conditions of the application both write. A condition's write gets its time from the
 * servers: beside a row that was written with a later one, it is told as applied and is not there.
 */
final class MixedWrites {

    private static final Logger log = LoggerFactory.getLogger(MixedWrites.class);

    private final Map<String, Set<String>> sure = new TreeMap<>();
    private final Map<String, Set<String>> conditional = new TreeMap<>();
    private final Set<String> told = new TreeSet<>();
    private final Refusals refusals;
    private boolean started;

    /** Has warnings go into a report, where there is one. */
    MixedWrites(Refusals refusals) {
        this.refusals = refusals;
    }

    synchronized void note(PlannedRepository repository, Method method) {
        String cql = repository.statement(method);
        Map<String, Set<String>> kind = cql == null ? ofEntities(repository, method) : ofText(repository, method, cql);
        if (kind == null) {
            return;
        }
        CqlIdentifier keyspace = repository.own().session().getKeyspace().orElse(null);
        CqlIdentifier own = repository.entity().getKeyspace();
        List<CqlText.Name> tables = cql == null
                ? List.of(new CqlText.Name(own, repository.entity().getTableName()).in(keyspace))
                : CqlText.of(cql).tables(keyspace);
        for (CqlText.Name table : tables) {
            kind.computeIfAbsent(table.toString(), none -> new TreeSet<>()).add(repository.operation(method));
            if (started) {
                warn(table.toString());
            }
        }
    }

    private @Nullable Map<String, Set<String>> ofText(PlannedRepository repository, Method method, String cql) {
        if (CqlText.mayBeConditional(SimpleStatement.newInstance(cql))) {
            return conditional;
        }
        return !CqlText.of(cql).reads() && mayBeSure(repository, method) ? sure : null;
    }

    private @Nullable Map<String, Set<String>> ofEntities(PlannedRepository repository, Method method) {
        Mutation mutation = repository.mutation(method);
        if (mutation == null || mutation == Mutation.TRUNCATE) {
            return null;
        }
        if (repository.isVersioned(method)) {
            return conditional;
        }
        if (repository.entity().hasVersionProperty()
                && method.getDeclaringClass().getName().startsWith("org.springframework.data.")) {
            return null; // by an id alone, and everybody has it: it need not be called
        }
        return mayBeSure(repository, method) || repository.isGuarded() ? sure : null;
    }

    /** Also what is not annotated yet, where an application is only looked at. */
    private boolean mayBeSure(PlannedRepository repository, Method method) {
        return refusals.areReported() || IdempotentPlans.annotation(method, repository.type()) != null;
    }

    /** Warns of what was noted, and from now on at once. */
    synchronized void start() {
        started = true;
        conditional.keySet().forEach(this::warn);
    }

    private void warn(String table) {
        if (sure.containsKey(table) && conditional.containsKey(table) && told.add(table)) {
            refusals.warn(
                    log,
                    table,
                    "Table %s is written by conditions (%s), whose time is the servers', and by %s (%s), whose time may be later: under a lease, or by a clock that is ahead. Then a condition tells that it applied, and the row does not show it. Fix: let conditions write columns that no sure write has, or write the row by sure writes alone, with a lease or a unique constraint in place of the condition"
                            .formatted(
                                    table,
                                    String.join(", ", conditional.get(table)),
                                    refusals.areReported() ? "writes that would be sure" : "sure writes",
                                    String.join(", ", sure.get(table))),
                    "consistency");
        }
    }
}
