package io.surewrite.alledeals.lab;

import io.surewrite.lease.WithLease;
import io.surewrite.retry.Idempotent;
import org.springframework.stereotype.Component;

/** The sure side of "two processes, one report": one lease over all attempts, and their time is drawn under it. */
@Component
class LabReports {

    private final PlainRows rows;

    LabReports(PlainRows rows) {
        this.rows = rows;
    }

    @Idempotent
    @WithLease(key = "'alledeals:lab:' + #id", waitAtMost = "20s")
    public void publish(String id, String sales) {
        int sold = TwoReports.sold(rows, sales);
        rows.save(LabRow.units(id, sold));
    }
}
