package io.surewrite.autoconfigure;

import io.surewrite.lease.LeaseLocks;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraints;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.ObjectProvider;

/** Removes the claims of writers that died. */
final class ClaimSweep extends BackgroundSweep {

    static final String LEASE = "surewrite:unique-sweep";

    private final UniqueCatalog catalog;
    private final ObjectProvider<UniqueConstraints> constraints;

    ClaimSweep(
            UniqueCatalog catalog,
            ObjectProvider<UniqueConstraints> constraints,
            ObjectProvider<LeaseLocks> leases,
            Duration every) {
        super("Abandoned claims of unique values", LEASE, leases, Duration.ofMinutes(1), every);
        this.catalog = catalog;
        this.constraints = constraints;
    }

    @Override
    void sweepWhile(BooleanSupplier mayGoOn) {
        for (UniqueCatalog.Entry entry : catalog.entries()) {
            if (mayGoOn.getAsBoolean()) {
                constraints.getObject().sweep(entry.constraint().name());
            }
        }
    }
}
