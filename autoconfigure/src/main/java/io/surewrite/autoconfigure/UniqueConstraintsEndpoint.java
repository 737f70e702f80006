package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.data.ByteUtils;
import io.surewrite.internal.observe.Observed;
import io.surewrite.unique.UniqueBy.NullRule;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueReport;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * Shows the unique constraints that the repositories of this application guard, and starts audits and repairs of their claims.
 * Starting something needs {@code management.endpoint.uniqueconstraints.access=unrestricted}.
 */
@Endpoint(id = "uniqueconstraints", defaultAccess = Access.READ_ONLY)
final class UniqueConstraintsEndpoint {

    private static final Logger log = LoggerFactory.getLogger(UniqueConstraintsEndpoint.class);

    private static final String RUNNING = "running";

    private final UniqueCatalog catalog;
    private final Supplier<UniqueConstraints> constraints;
    private final BooleanSupplier repaired;
    private final Map<String, Job> jobs = new ConcurrentHashMap<>();

    /**
     * @param constraints asked for only by operations that need its table
     * @param repaired whether that table is there: it need not be where nothing was repaired
     */
    UniqueConstraintsEndpoint(
            UniqueCatalog catalog, Supplier<UniqueConstraints> constraints, BooleanSupplier repaired) {
        this.catalog = catalog;
        this.constraints = constraints;
        this.repaired = repaired;
    }

    /** What can be started. */
    public enum Action {
        /** {@link UniqueConstraints#audit}. */
        AUDIT,
        /** {@link UniqueConstraints#repair}. */
        REPAIR
    }

    /**
     * A constraint.
     *
     * @param nulls what a null means
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

    /** What this application does, or did last, with a constraint. */
    public record Job(
            Action action,
            String state,
            @Nullable UniqueReport report,
            @Nullable String failure) {}

    /**
     * What is known of a constraint. Values are left out.
     *
     * @param lastRepair of all applications, or null if there never was one
     * @param job of this application, or null
     */
    public record Details(
            Shown constraint,
            @Nullable UniqueReport lastRepair,
            @Nullable Job job) {}

    /** {@return all constraints, by name} */
    @ReadOperation
    public List<Shown> constraints() {
        return catalog.entries().stream().map(Shown::of).toList();
    }

    /**
     * Shows one constraint.
     *
     * @return what is known, or null if there is no such constraint
     */
    @ReadOperation
    public @Nullable Details constraint(@Selector String name) {
        return catalog.entry(name)
                .map(entry -> new Details(Shown.of(entry), lastRepair(name), jobs.get(name)))
                .orElse(null);
    }

    private @Nullable UniqueReport lastRepair(String name) {
        return repaired.getAsBoolean()
                ? constraints
                        .get()
                        .lastRepair(name)
                        .map(UniqueConstraintsEndpoint::withoutValues)
                        .orElse(null)
                : null;
    }

    @WriteOperation
    @SuppressWarnings("ReferenceEquality") // an equal job may run already
    public Job start(@Selector String name, Action action) {
        if (catalog.entry(name).isEmpty()) {
            throw new InvalidEndpointRequestException(
                    "There is no unique constraint '" + name + "'",
                    "There is no such unique constraint. Fix: name one of "
                            + constraints().stream().map(Shown::name).toList());
        }
        Job started = new Job(action, RUNNING, null, null);
        Job current = jobs.merge(name, started, (known, added) -> known.state().equals(RUNNING) ? known : added);
        if (current == started) {
            Thread thread = new Thread(
                    () -> jobs.put(name, run(name, action)), "surewrite-unique-" + Observed.lowerCase(action));
            thread.setDaemon(true);
            thread.start();
        }
        return current;
    }

    private Job run(String name, Action action) {
        try {
            UniqueConstraints all = constraints.get();
            UniqueReport report = action == Action.AUDIT ? all.audit(name) : all.repair(name);
            return new Job(action, "done", withoutValues(report), null);
        } catch (RuntimeException | Error failure) {
            log.warn("The {} of unique constraint {} failed; it can be started again", action, name, failure);
            return new Job(action, "failed", null, failure.getMessage());
        }
    }

    private static UniqueReport withoutValues(UniqueReport report) {
        return report.withDuplicates(report.firstDuplicates().stream()
                .map(duplicate ->
                        new UniqueReport.Duplicate(Map.of(), readable(duplicate.holder()), readable(duplicate.other())))
                .toList());
    }

    private static String text(Object part) {
        return part instanceof ByteBuffer bytes
                ? ByteUtils.toHexString(bytes).substring("0x".length())
                : part.toString();
    }

    /** Not every type that a key may have has a form in JSON. */
    private static Map<String, Object> readable(Map<String, Object> key) {
        Map<String, Object> shown = new LinkedHashMap<>();
        key.forEach((column, part) ->
                shown.put(column, part instanceof Number || part instanceof Boolean ? part : text(part)));
        return shown;
    }
}
