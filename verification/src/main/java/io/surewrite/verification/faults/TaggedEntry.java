package io.surewrite.verification.faults;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/**
 * A row with collections that are not frozen. Each write of it has elements of its own: two that unite show those of both.
 *
 * @param id of the row
 * @param label what at most one row has
 * @param roles two, which name the write
 * @param notes one, which names the write
 */
@Table("tagged_entry")
public record TaggedEntry(
        @PrimaryKey UUID id,
        @Nullable String label,
        @Nullable Set<String> roles,
        @Nullable Map<String, String> notes) implements Wanting {

    static final String DDL =
            "CREATE TABLE tagged_entry (id uuid PRIMARY KEY, label text, roles set<text>," + " notes map<text, text>)";

    /** {@return the row as another write makes it} */
    static TaggedEntry written(UUID id, String label) {
        String write = UUID.randomUUID().toString();
        return new TaggedEntry(id, label, Set.of("reads " + write, "writes " + write), Map.of(write, "written"));
    }

    @Override
    public String content() {
        return label + " " + (roles == null ? "[]" : new TreeSet<>(roles)) + " "
                + (notes == null ? "{}" : new TreeMap<>(notes));
    }
}
