package io.surewrite.verification.faults;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/**
 * A row with collections that are not frozen. Each write of it has elements of its own.
 *
 * @param id of the row
 * @param label what at most one row has
 * @param roles two, which name the write
 * @param notes one, which names the write
 */
@Table("tagged_entry")
public record TaggedEntry(@PrimaryKey UUID id, String label, Set<String> roles, Map<String, String> notes)
        implements Wanting {

    /** {@return the row as another write makes it} */
    static TaggedEntry written(UUID id, String label) {
        return of(id, label, UUID.randomUUID().toString());
    }

    private static TaggedEntry of(UUID id, String label, String write) {
        return new TaggedEntry(id, label, Set.of("reads " + write, "writes " + write), Map.of(write, "written"));
    }

    /** Two writes of a set that unite show elements of both. */
    @Override
    public boolean isWhole() {
        return notes.size() == 1
                && equals(of(id, label, notes.keySet().iterator().next()));
    }
}
