package io.surewrite.actuate;

import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.UniqueReport;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether unique values can be written: down while the last call had no clear answer, and that not long ago. Constraints
 * that existing rows violate are named, and are no reason to be down. It sends nothing itself.
 */
public final class UniqueHealthIndicator extends RecentFailure implements UniqueListener {

    private final Map<String, UniqueReport> scans = new ConcurrentHashMap<>();

    /**
     * Creates the indicator.
     *
     * @param clock measures how long ago something was
     */
    public UniqueHealthIndicator(Clock clock) {
        super("The unique values could not be examined", clock);
    }

    @Override
    public void ended(String operation, End end, Duration took) {
        switch (end) {
            case UNKNOWN, UNAVAILABLE -> note(false);
            case SUCCEEDED, DUPLICATE, PENDING, SUPERSEDED -> note(true);
            case FAILED -> {
                // The caller's own mistake says nothing of the cluster.
            }
        }
    }

    @Override
    public void scanned(UniqueReport soFar) {
        scans.put(soFar.constraint(), soFar);
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        super.doHealthCheck(builder);
        Map<String, Long> violated = new TreeMap<>();
        scans.forEach((constraint, report) -> {
            if (report.duplicates() > 0) {
                violated.put(constraint, report.duplicates());
            }
        });
        if (!violated.isEmpty()) {
            builder.withDetail("duplicates", violated);
        }
    }
}
