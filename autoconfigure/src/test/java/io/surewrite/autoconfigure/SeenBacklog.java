package io.surewrite.autoconfigure;

import io.surewrite.autoconfigure.BacklogEndpoint.Action;
import io.surewrite.autoconfigure.BacklogEndpoint.Summary;
import io.surewrite.backlog.DeadLetter;
import io.surewrite.backlog.WriteBacklog;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** A backlog as its operator sees it, for tests of other packages. */
public record SeenBacklog(WriteBacklog backlog) {

    public static final Status DEGRADED = new Status("DEGRADED");

    public HealthIndicator health(Duration downAfter, Clock clock) {
        return new BacklogHealthIndicator(backlog, downAfter, clock);
    }

    public long waiting() {
        return endpoint().backlog().size().entries();
    }

    /** The ids of the dead letters. */
    public List<Long> dead() {
        return endpoint().backlog().deadLetters().stream().map(Summary::id).toList();
    }

    /** Of how many dead letters it was done. */
    public int act(String action, Long id) {
        return endpoint().act(Action.valueOf(action), id).count();
    }

    public List<DeadLetter> export(Long id) {
        return endpoint().act(Action.EXPORT, id).letters();
    }

    private BacklogEndpoint endpoint() {
        return new BacklogEndpoint(backlog);
    }
}
