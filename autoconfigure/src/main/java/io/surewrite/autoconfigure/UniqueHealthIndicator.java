package io.surewrite.autoconfigure;

import io.surewrite.internal.session.DriverFailures;
import io.surewrite.unique.ClaimPendingException;
import io.surewrite.unique.SupersededException;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueGuard;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Whether unique values can be written: down since a call had no clear answer, until one has. While it is down, whoever asks
 * for the status has a value claimed and released.
 */
final class UniqueHealthIndicator extends RecentFailure<UniqueGuard> {

    private static final UniqueConstraint LOOK = UniqueConstraint.on("surewrite:health", "health");

    UniqueHealthIndicator(Supplier<? extends Collection<? extends UniqueGuard>> made) {
        super("The unique values could not be examined", made, UniqueGuard::unclearSince, UniqueHealthIndicator::look);
    }

    private static CompletableFuture<?> look(UniqueGuard guard) {
        return guard.claimAsync(LOOK, "health", LOOK.value(List.of("health")))
                .thenCompose(claimed -> guard.releaseAsync(LOOK, "health"))
                .toCompletableFuture()
                .exceptionally(failure -> {
                    Throwable cause = DriverFailures.unwrapped(failure);
                    if (cause instanceof ClaimPendingException || cause instanceof SupersededException) {
                        return null; // another process looks: an answer, too
                    }
                    throw new CompletionException(cause);
                });
    }
}
