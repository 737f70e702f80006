package io.surewrite.unique.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.UniqueReport;
import io.surewrite.unique.UniqueReport.Duplicate;
import io.surewrite.unique.UniqueReport.State;
import io.surewrite.unique.claims.ExistingRowClaims.Twins;
import io.surewrite.unique.scan.CatalogedConstraints.ScanTally;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScanTallyTests {

    private final ScanTally tally =
            new ScanTally(twins -> new Duplicate(Map.of("login", twins.value()), Map.of(), Map.of()));

    private UniqueReport report() {
        return tally.report("login", tally.state(), 0.5);
    }

    @Test
    void isValidWhereEveryRowHasItsClaim() {
        assertThat(tally.state()).isEqualTo(State.VALID);
        tally.missing.add(2);
        assertThat(tally.state()).isEqualTo(State.VIOLATED);
        tally.claimed.add(2);
        assertThat(tally.state()).isEqualTo(State.VALID);
        tally.orphans.increment();
        assertThat(tally.state()).isEqualTo(State.VALID);
        tally.unclaimable.increment();
        assertThat(tally.state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void countsAllDuplicatesAndShowsTheFirstThousand() {
        for (int i = 0; i < 1_001; i++) {
            tally.add(new Twins("value" + i, "1", "2"));
        }
        UniqueReport report = report();
        assertThat(report.state()).isEqualTo(State.VIOLATED);
        assertThat(report.duplicates()).isEqualTo(1_001);
        assertThat(report.firstDuplicates()).hasSize(1_000);
        assertThat(report.firstDuplicates().get(999).value()).containsEntry("login", "value999");
    }

    @Test
    void goesOnFromAnEarlierScan() {
        UniqueReport earlier = new UniqueReport("login", State.UNFINISHED, 0.4, 10, 7, 5, 4, 3, 2, 1, List.of());
        tally.rows.add(100);
        tally.add(earlier);
        // What was missing or an orphan may have been mended since, and is looked for again.
        assertThat(tally.report("login", State.UNFINISHED, 0.5))
                .isEqualTo(new UniqueReport("login", State.UNFINISHED, 0.5, 110, 7, 0, 0, 0, 2, 0, List.of()));
    }
}
