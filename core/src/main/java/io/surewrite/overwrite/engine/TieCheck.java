package io.surewrite.overwrite.engine;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.overwrite.TimestampTieException;
import io.surewrite.rows.RowStatement;
import io.surewrite.rows.TableColumn;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a row back to see whether another client wrote it with the same timestamp. Of two clients that tie and read at a
 * level that sees acknowledged writes, at least the one that reads later sees the mix, unless the mix is its own row.
 */
final class TieCheck {

    /** What is read of each cell, one after the other. */
    private static final int PARTS = 3;

    private static final int VALUE = 0;
    private static final int WRITE_TIME = 1;
    private static final int TTL = 2;

    private TieCheck() {}

    static RowStatement readBack(OverwritePlan plan) {
        return OverwriteStatement.READ_BACK.of(plan.target());
    }

    static boolean isPossible(OverwritePlan plan) {
        return plan.options().detectTies() && !plan.target().cells().isEmpty();
    }

    static Statement<?> statement(OverwritePlan plan) {
        return plan.configure(readBack(plan).bind(plan.first())).setIdempotent(true);
    }

    static void check(OverwritePlan plan, @Nullable Row row) {
        if (row == null) {
            return;
        }
        List<String> torn = new ArrayList<>();
        List<TableColumn> cells = plan.target().cells();
        boolean nullsAreWritten = plan.target().hasUnmappedColumns();
        boolean anyOfOurTick =
                nullsAreWritten && IntStream.range(0, cells.size()).anyMatch(cell -> isOfOurTick(plan, row, cell));
        for (int i = 0; i < cells.size(); i++) {
            ByteBuffer written = plan.first().values().get(cells.get(i));
            // A null has no timestamp to be seen; another overwrite as a whole would have left nothing of our tick.
            boolean mayBeTorn = row.isNull(VALUE + PARTS * i) ? anyOfOurTick : isOfOurTick(plan, row, i);
            if (mayBeTorn && !Objects.equals(row.getBytesUnsafe(VALUE + PARTS * i), written)) {
                torn.add(cells.get(i).cql());
            } else if (mayBeTorn && written != null && lastsOtherwise(plan, row, i)) {
                torn.add(cells.get(i).cql() + " (its time to live)");
            }
        }
        if (!torn.isEmpty()) {
            throw new TimestampTieException("Another client overwrote a row of "
                    + plan.target().qualifiedName() + " with the same timestamp "
                    + plan.first().timestamp() + ": it won in " + String.join(", ", torn)
                    + ". Overwrite the row again to make it whole.");
        }
    }

    private static boolean isOfOurTick(OverwritePlan plan, Row row, int cell) {
        return !row.isNull(WRITE_TIME + PARTS * cell)
                && row.getLong(WRITE_TIME + PARTS * cell) == plan.first().timestamp();
    }

    /** Whether the cell ends though ours does not, or later than ours: of equal values the one that ends later wins. */
    private static boolean lastsOtherwise(OverwritePlan plan, Row row, int cell) {
        Integer ttl = plan.first().ttl();
        int ours = ttl != null ? ttl : plan.target().secondsToLive();
        int left = row.isNull(TTL + PARTS * cell) ? 0 : row.getInt(TTL + PARTS * cell);
        return ours == 0 ? left > 0 : left == 0 || left > ours;
    }
}
