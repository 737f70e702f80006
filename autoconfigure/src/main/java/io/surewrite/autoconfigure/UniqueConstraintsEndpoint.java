package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.data.ByteUtils;
import io.surewrite.unique.UniqueBy.NullRule;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueReport;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** Shows the unique constraints that the repositories of this application guard, and their last repair. It only reads. */
@Endpoint(id = "uniqueconstraints")
record UniqueConstraintsEndpoint(UniqueCatalog catalog, Function<String, Optional<UniqueReport>> lastRepair) {

    public record Shown(String name, String table, List<String> properties, NullRule nulls) {

        private static Shown of(UniqueCatalog.Entry entry) {
            return new Shown(
                    entry.constraint().name(),
                    entry.table(),
                    entry.constraint().properties(),
                    entry.constraint().nulls());
        }
    }

    /** What is known of a constraint, without values. */
    public record Details(Shown constraint, @Nullable UniqueReport lastRepair) {}

    @ReadOperation
    public List<Shown> constraints() {
        return catalog.entries().stream().map(Shown::of).toList();
    }

    @ReadOperation
    public @Nullable Details constraint(@Selector String name) {
        return catalog.entry(name)
                .map(entry -> new Details(
                        Shown.of(entry),
                        lastRepair
                                .apply(name)
                                .map(UniqueConstraintsEndpoint::withoutValues)
                                .orElse(null)))
                .orElse(null);
    }

    private static UniqueReport withoutValues(UniqueReport report) {
        return report.withDuplicates(report.firstDuplicates().stream()
                .map(duplicate ->
                        new UniqueReport.Duplicate(Map.of(), readable(duplicate.holder()), readable(duplicate.other())))
                .toList());
    }

    /** Not every type that a key may have has a form in JSON. */
    private static Map<String, Object> readable(Map<String, Object> key) {
        Map<String, Object> shown = new LinkedHashMap<>();
        key.forEach((column, part) ->
                shown.put(column, part instanceof Number || part instanceof Boolean ? part : text(part)));
        return shown;
    }

    private static String text(Object part) {
        return part instanceof ByteBuffer bytes
                ? ByteUtils.toHexString(bytes).substring("0x".length())
                : part.toString();
    }
}
