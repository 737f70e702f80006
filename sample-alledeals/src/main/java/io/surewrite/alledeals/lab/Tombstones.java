package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.overwrite.TombstoneBudget;
import io.surewrite.overwrite.TombstoneCount;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.stereotype.Component;

/** Writes the same rows by Spring Data's insert of nulls and by an overwrite, and asks the server what a read meets. */
@Component
class Tombstones {

    private static final int ROWS = 40;
    private static final int TIMES = 3;

    private final CassandraOperations cassandra;
    private final RowOverwrites overwrites;
    private final CqlSession session;

    Tombstones(CassandraOperations cassandra, RowOverwrites overwrites, CqlSession session) {
        this.cassandra = cassandra;
        this.overwrites = overwrites;
        this.session = session;
    }

    List<Count> compare() {
        // What save of a repository does: an insert that writes every null.
        var withNulls = InsertOptions.builder().withInsertNulls().build();
        return List.of(
                count("save", row -> cassandra.insert(row, withNulls)), count("overwrite", overwrites::overwrite));
    }

    private Count count(String way, Consumer<LabProfile> write) {
        String partition = way + " " + UUID.randomUUID();
        for (int time = 0; time < TIMES; time++) {
            for (int number = 0; number < ROWS; number++) {
                write.accept(LabProfile.bare(partition, number));
            }
        }
        TombstoneCount read = TombstoneBudget.in(session)
                .assertThat("SELECT * FROM cass_lab_profile WHERE way = ?", partition)
                .count();
        return new Count(way, read.liveRows(), read.tombstones());
    }

    /**
     * What one read of a partition met.
     *
     * @param way how the rows were written
     * @param rows live rows
     * @param tombstones tombstones, as the server counts them
     */
    record Count(String way, long rows, long tombstones) {}
}
