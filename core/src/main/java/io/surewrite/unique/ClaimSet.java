package io.surewrite.unique;

import io.surewrite.unique.ClaimStep.Result;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ClaimStore.SeenClaim;
import io.surewrite.unique.DuplicateValueException.Violation;
import io.surewrite.unique.UniqueRules.Rule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The claims of one call, all at its timestamp. They are made at once. If one of them is another writer's at work, the call
 * withdraws what it has created, waits, and then makes them one after the other, in an order that all calls share: so of
 * calls that want the same values one gets all of them. Its stages complete exceptionally when a value is not to be had; then
 * nothing is left but what must run out by itself.
 */
final class ClaimSet {

    private static final Comparator<WantedValue> ORDER = Comparator.<WantedValue, String>comparing(
                    value -> value.key().constraint())
            .thenComparing(value -> value.key().value());

    private final GuardCall call;
    private final boolean isNew;
    private final List<WantedValue> values;
    private final Map<WantedValue, Result.Held> held = new LinkedHashMap<>();

    /** Which the row did not have before, as far as its claims tell. */
    private final Set<WantedValue> gained = new HashSet<>();

    /** May have been created, as the answer is missing. */
    private final Set<WantedValue> maybe = new HashSet<>();

    ClaimSet(GuardCall call, List<WantedValue> values, boolean isNew) {
        this.call = call;
        this.isNew = isNew;
        this.values = values.stream().sorted(ORDER).toList();
    }

    int size() {
        return values.size();
    }

    boolean contains(ClaimKey key) {
        return values.stream().anyMatch(value -> value.key().equals(key));
    }

    boolean areAllCreated() {
        return held.values().stream().allMatch(how -> how == Result.Held.CREATED);
    }

    boolean gainsNothing() {
        return gained.isEmpty();
    }

    CompletionStage<Void> claim() {
        return Stages.all(values, this::claim).thenCompose(this::decide);
    }

    /** Last, so that a call which waits keeps no takeover from the row. The key of a new row is known to nobody, unless unique. */
    private CompletionStage<Void> claimRow() {
        boolean known = !isNew || values.stream().anyMatch(WantedValue::decidesOwner);
        if (!call.rows.mayMix() || !known || !call.keeps(Rule.WRITERS_CLAIM_THE_ROW)) {
            return Stages.done();
        }
        return ClaimStep.claimRow(call, rowId()).thenCompose(result -> {
            if (result instanceof Result.Unclear unclear) {
                return fail(call.noAnswer(unclear.cause()));
            }
            if (!(result instanceof Result.Rise rise)) {
                return Stages.done();
            }
            if (call.isOver(0)) {
                return fail(call.noAnswer(null));
            }
            if (call.rises(rise.seen())) {
                held.clear(); // and raised, not created, when it is claimed again
                return claim();
            }
            // Below another operation it is hidden as a whole; at the same timestamp the two would mix.
            return rise.seen() > call.timestamp() ? Stages.done() : fail(call.superseded());
        });
    }

    /** Attempts of one pinned call have one, as long as they give the row the same values. */
    private UUID rowId() {
        if (!call.isPinned()) {
            return call.raiseId();
        }
        String operation = call.origin + " "
                + values.stream().map(value -> value.key().toString()).collect(Collectors.joining());
        return UUID.nameUUIDFromBytes(operation.getBytes(StandardCharsets.UTF_8));
    }

    private CompletionStage<Result> claim(WantedValue value) {
        return ClaimStep.claim(call, value, isNew);
    }

    private CompletionStage<Void> decide(List<Result> results) {
        List<WantedValue> duplicates = new ArrayList<>();
        WantedValue pending = null;
        Throwable cause = null;
        for (int i = 0; i < results.size(); i++) {
            WantedValue value = values.get(i);
            Result result = results.get(i);
            if (result instanceof Result.Held how) {
                held.put(value, how);
                if (how != Result.Held.RAISED) {
                    gained.add(value);
                }
            } else if (result instanceof Result.Duplicate) {
                duplicates.add(value);
            } else if (result instanceof Result.Unclear failed) {
                cause = failed.cause();
                if (failed.mayBeCreated()) {
                    maybe.add(value);
                }
            } else if (pending == null) {
                pending = value;
            }
        }
        if (!duplicates.isEmpty()) {
            return fail(duplicate(duplicates));
        }
        if (cause != null) {
            return fail(call.noAnswer(cause));
        }
        return pending == null ? claimRow() : await(pending);
    }

    /** Holds nothing while it waits that another may wait for. It looks a last time when it has waited as long as it may. */
    private CompletionStage<Void> await(WantedValue pending) {
        long left = call.parts.settings().pendingWait().toNanos() - call.waited();
        if (left <= 0) {
            return failPending(pending);
        }
        long pause = Math.min(left, call.nextPause());
        return withdraw().thenCompose(withdrawn -> call.after(pause, this::claimInOrder));
    }

    private CompletionStage<Void> claimInOrder() {
        held.clear();
        call.decideAgain();
        return claimInOrder(List.of());
    }

    /** One value more, as long as each is held. */
    private CompletionStage<Void> claimInOrder(List<Result> before) {
        return claim(values.get(before.size())).thenCompose(result -> {
            List<Result> results =
                    Stream.concat(before.stream(), Stream.of(result)).toList();
            boolean ends = results.size() == values.size() || !(result instanceof Result.Held);
            return ends ? decide(results) : claimInOrder(results);
        });
    }

    private CompletionStage<Void> failPending(WantedValue pending) {
        return Stages.then(
                        call.ask(() -> call.parts.claims().read(pending.key())),
                        seen -> Stages.done(seen.map(SeenClaim::reservedFor).orElse(Duration.ZERO)),
                        failure -> Stages.done(Duration.ZERO))
                .thenCompose(left ->
                        fail(new ClaimPendingException(pending.constraint().name(), left)));
    }

    /** Ends the call; withdraws what it has created, unless the row may be on its way. */
    CompletionStage<Void> fail(RuntimeException failure) {
        return (call.rowSent() ? Stages.done() : withdraw()).thenCompose(withdrawn -> Stages.failed(failure));
    }

    /** A claim whose answer is missing may be there, too. Not knowing whether it worked does no harm. */
    private CompletionStage<Void> withdraw() {
        boolean all = !call.keeps(Rule.WITHDRAWS_ONLY_WHAT_IT_CREATED);
        List<WantedValue> created = values.stream()
                .filter(value -> all || maybe.contains(value) || held.get(value) == Result.Held.CREATED)
                .toList();
        return Stages.all(
                        created,
                        value -> call.tellClaims(claims -> claims.withdraw(
                                value.key(),
                                maybe.contains(value) || held.get(value) == Result.Held.CREATED
                                        ? call.created().claimId()
                                        : call.raiseId())))
                .thenApply(withdrawn -> null);
    }

    private RuntimeException duplicate(List<WantedValue> taken) {
        List<Violation> violations = new ArrayList<>();
        for (WantedValue value : taken) {
            UniqueConstraint constraint = value.constraint();
            violations.add(new Violation(
                    constraint.name(), constraint.properties(), value.value().parts()));
        }
        return new DuplicateValueException(violations, call.parts.settings().valuesInMessages());
    }
}
