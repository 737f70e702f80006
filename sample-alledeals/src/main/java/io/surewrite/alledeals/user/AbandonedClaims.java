package io.surewrite.alledeals.user;

import io.surewrite.lease.WithLease;
import io.surewrite.lease.WithLease.WhenHeld;
import io.surewrite.unique.UniqueConstraints;
import java.util.List;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Removes what a process left that died while it registered or changed somebody: a claim with a login or an email that is
 * no user's. One instance does, twice a day.
 */
@Component
class AbandonedClaims {

    private final UniqueConstraints constraints;

    AbandonedClaims(UniqueConstraints constraints) {
        this.constraints = constraints;
    }

    /** Also claims the values of rows that have no claim, should there be some. */
    @Scheduled(fixedDelayString = "12h", initialDelayString = "5m")
    @WithLease(value = "alledeals:claims", whenHeld = WhenHeld.SKIP, holdAtLeast = "11h")
    void repair() {
        for (String constraint : List.of(UserRepository.BY_LOGIN, UserRepository.BY_EMAIL)) {
            constraints.repair(constraint);
        }
    }
}
