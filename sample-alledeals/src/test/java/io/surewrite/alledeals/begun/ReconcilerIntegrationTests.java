package io.surewrite.alledeals.begun;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.ShopTest;
import io.surewrite.lease.LeaseLocks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessResourceFailureException;

class ReconcilerIntegrationTests extends ShopTest {

    /** The buckets of a day, and more than those of a quick round. */
    private static final int A_DAY = 24 * 6;

    private final List<Instant> looked = new ArrayList<>();
    private final LateNotes late = new LateNotes();
    private boolean away;

    @Autowired
    private LeaseLocks locks;

    @Test
    void looksThroughTheWholeDayUntilItIsDoneAndWhenAnythingCameLate() {
        Reconciler reconciler = new Reconciler(List.of(this::finish), locks, late, clock);

        away = true;
        assertThat(bucketsIn(reconciler)).isGreaterThan(A_DAY);
        assertThat(bucketsIn(reconciler)).isGreaterThan(A_DAY);
        away = false;
        assertThat(bucketsIn(reconciler)).isGreaterThan(A_DAY);
        assertThat(bucketsIn(reconciler)).isLessThan(A_DAY);

        late.replayed("any", Duration.ofHours(5));
        assertThat(bucketsIn(reconciler)).isGreaterThan(A_DAY);
        assertThat(bucketsIn(reconciler)).isLessThan(A_DAY);
    }

    private int finish(Instant bucket) {
        looked.add(bucket);
        if (away && looked.size() == A_DAY / 2) {
            throw new DataAccessResourceFailureException("away for a moment");
        }
        return 0;
    }

    /** One round, when the shop's own reconciler is not at it. */
    private int bucketsIn(Reconciler reconciler) {
        looked.clear();
        Awaitility.await().until(() -> {
            reconciler.reconcile();
            return !looked.isEmpty();
        });
        return looked.size();
    }
}
