package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.cql.analysis.CqlText;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds query methods that would write past the guard. It looks at names only, and rather refuses too much: a statement
 * that names a constrained column anywhere counts as touching it.
 *
 * @param constrained the columns
 */
record ConstrainedQueries(Set<CqlIdentifier> constrained) {

    /** Why the method must not be called, or null if it does no harm. */
    @Nullable
    String harm(PlannedRepository repository, Method method) {
        String cql = repository.statement(method);
        if (cql != null) {
            return harm(cql);
        }
        return repository.isDerivedDelete(method)
                ? "deletes rows by its name, without looking at them, which leaves their claims"
                : null;
    }

    @Nullable
    String harm(String cql) {
        CqlText text = CqlText.of(cql);
        if (text.reads()) {
            return null;
        }
        for (CqlIdentifier column : constrained) {
            if (text.names(column)) {
                return "writes, and names the constrained column %s, past the guard".formatted(column.asCql(true));
            }
        }
        if (text.deletesRows()) {
            return "deletes rows, which leaves their claims";
        }
        return text.writesJson() ? "writes by JSON, where nobody sees the columns" : null;
    }
}
