package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.write.Internal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long a table keeps its tombstones: an older write that comes later than that can bring deleted data back. */
@Internal
public final class GcGrace {

    private static final CqlIdentifier OPTION = CqlIdentifier.fromInternal("gc_grace_seconds");

    private GcGrace() {}

    /**
     * Reads the table's {@code gc_grace_seconds}.
     *
     * @param table the table
     * @return the time, or null if the metadata does not say
     */
    public static @Nullable Duration of(TableMetadata table) {
        return table.getOptions().get(OPTION) instanceof Number seconds
                ? Duration.ofSeconds(seconds.longValue())
                : null;
    }
}
