package io.surewrite.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Leases in the order in which they were acquired, which is that of their names. */
record AcquiredLeases(List<Lease> all) implements Leases {

    @Override
    public Lease get(String name) {
        return all.stream()
                .filter(lease -> lease.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No lease of '%s' among %s".formatted(name, all)));
    }

    @Override
    public boolean isHeld() {
        return all.stream().allMatch(Lease::isHeld);
    }

    /** Sends all releases, the last acquired first, and waits for all answers. */
    @Override
    public void close() {
        List<CompletionStage<ReleaseOutcome>> answers = new ArrayList<>();
        for (int i = all.size() - 1; i >= 0; i--) {
            answers.add(all.get(i).releaseAsync());
        }
        answers.forEach(answer -> answer.toCompletableFuture().join());
    }
}
