package io.surewrite.calls;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the table shows of a board in the end. */
record Board(@Nullable String latest, long latestTime, Map<String, Long> times) {

    static final Board EMPTY = new Board(null, 0, Map.of());

    static Map<String, Board> all(CqlSession session, List<String> names) {
        Map<String, Board> boards = new HashMap<>();
        for (String name : names) {
            Map<String, Long> times = new HashMap<>();
            String latest = null;
            long latestTime = 0;
            for (Row row : session.execute(
                    "SELECT mark, WRITETIME(text), latest, WRITETIME(latest) FROM note WHERE board = ?", name)) {
                latest = row.getString(2);
                latestTime = row.getLong(3);
                if (row.getString(0) != null) {
                    times.put(row.getString(0), row.getLong(1));
                }
            }
            boards.put(name, new Board(latest, latestTime, times));
        }
        return boards;
    }
}
