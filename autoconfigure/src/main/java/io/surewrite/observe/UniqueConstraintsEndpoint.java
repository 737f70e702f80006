package io.surewrite.observe;

import io.surewrite.unique.NullRule;
import io.surewrite.unique.UniqueCatalog;
import java.util.List;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** Shows the unique constraints that the repositories of this application guard. */
@Endpoint(id = "uniqueconstraints")
public final class UniqueConstraintsEndpoint {

    private final UniqueCatalog catalog;

    /**
     * Creates the endpoint.
     *
     * @param catalog has the constraints
     */
    public UniqueConstraintsEndpoint(UniqueCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * A constraint.
     *
     * @param name its name in the table of claims
     * @param table the table that it is about
     * @param properties what is unique together
     * @param nulls what a null means
     * @param repositories who guards it
     */
    public record Shown(String name, String table, List<String> properties, NullRule nulls, List<String> repositories) {

        private static Shown of(UniqueCatalog.Entry entry) {
            return new Shown(
                    entry.constraint().name(),
                    entry.table(),
                    entry.constraint().properties(),
                    entry.constraint().nulls(),
                    entry.repositories());
        }
    }

    /** {@return all constraints, by name} */
    @ReadOperation
    public List<Shown> constraints() {
        return catalog.entries().stream().map(Shown::of).toList();
    }
}
