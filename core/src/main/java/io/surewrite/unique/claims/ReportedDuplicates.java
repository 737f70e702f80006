package io.surewrite.unique.claims;

import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.cql.session.Prepared;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The rows that builds have reported as duplicates, for a guard that holds their values. One of such rows has the claim.
 * When it gives the value up, the others still show it, and nothing but this keeps a further row from it.
 */
@FunctionalInterface
interface ReportedDuplicates {

    /** For a guard that does not ask. */
    ReportedDuplicates NONE = key -> Stages.done(Set.of());

    /** {@return becomes the canonical primary keys of all rows that were reported with a value, and may have lost it since} */
    CompletionStage<Set<String>> owners(ClaimKey key);

    /** Those of a table that builds write. A value has a few rows there: one page. */
    static ReportedDuplicates in(Prepared table) {
        String find = "SELECT holder, other FROM %s WHERE constraint_name = :constraint_name AND value = :value";
        return key -> table.send(
                        find,
                        bound -> bound.setString("constraint_name", key.constraint())
                                .setString("value", key.value()))
                .thenApply(answer -> {
                    Set<String> owners = new LinkedHashSet<>();
                    for (Row row : answer.currentPage()) {
                        owners.add(Objects.requireNonNull(row.getString("holder")));
                        owners.add(Objects.requireNonNull(row.getString("other")));
                    }
                    return owners;
                });
    }
}
