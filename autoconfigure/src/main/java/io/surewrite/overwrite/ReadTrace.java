package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.cql.QueryTrace;
import com.datastax.oss.driver.api.core.cql.TraceEvent;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds in the trace of a query what every replica says that it read. */
final class ReadTrace {

    private static final Pattern READ = Pattern.compile("Read (\\d+) live rows and (\\d+) tombstone(?: cell)?s?");

    private ReadTrace() {}

    /** What the replica that met the most tombstones read, or nothing if no replica told yet. */
    static Optional<TombstoneCount> worst(QueryTrace trace) {
        Map<@Nullable InetSocketAddress, TombstoneCount> replicas = new HashMap<>();
        for (TraceEvent event : trace.getEvents()) {
            Matcher read = READ.matcher(String.valueOf(event.getActivity()));
            if (read.find()) {
                TombstoneCount count = new TombstoneCount(Long.parseLong(read.group(1)), Long.parseLong(read.group(2)));
                replicas.merge(event.getSourceAddress(), count, TombstoneCount::plus);
            }
        }
        return replicas.values().stream().max(Comparator.comparingLong(TombstoneCount::tombstones));
    }
}
