package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.surewrite.internal.clock.ClockGuard.ClockCheck;
import io.surewrite.internal.observe.HeardObservations;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.test.ManualClock;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ClaimStore.SeenClaim;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import io.surewrite.write.WriteScope;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A guard whose tables a test plays, in a time that it makes: rows of users, whose logins are unique. Jitter always makes
 * three quarters of a pause.
 */
final class ScriptedGuard {

    static final UniqueConstraint LOGIN = UniqueConstraint.on("login", "login");
    static final UniqueConstraint EMAIL = UniqueConstraint.on("email", "email");

    static final UniqueSettings SETTINGS = new UniqueSettings(
            Duration.ofSeconds(10),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            false);

    /** How long after its timestamp was drawn a row may be acknowledged without a look at the fence. */
    static final Duration USABLE = Duration.ofMillis(8_500);

    static final Duration FIRST_PAUSE = Duration.ofMillis(15);

    final ManualClock clock = new ManualClock(Duration.ofDays(20_000).toNanos());
    final List<String> events = new ArrayList<>();
    final Table rows = new Table();

    /** What is known to be wrong with clocks, for claims. */
    @Nullable
    String apart;

    /** By how many microseconds the timestamps of this process are ahead of its clock. */
    long lead;

    final ClaimingGuard guard;

    private final Deque<Sent> sent = new ArrayDeque<>();
    private List<UniqueConstraint> constraints = List.of(LOGIN);
    private boolean mayMix;
    private boolean natural;

    ScriptedGuard() {
        GuardParts parts = new GuardParts(
                claims(),
                new Time(),
                new UniqueRules(),
                SETTINGS,
                0,
                UUID::randomUUID,
                () -> 0.5,
                new Events().registry());
        guard = new ClaimingGuard(parts, unused -> {
            throw new UnsupportedOperationException();
        });
    }

    ScriptedGuard with(UniqueConstraint... all) {
        constraints = List.of(all);
        return this;
    }

    /** As if a constraint had several columns. */
    ScriptedGuard whoseRowsMayMix() {
        mayMix = true;
        return this;
    }

    /** As if the login were the primary key. */
    ScriptedGuard whoseKeyIsTheLogin() {
        natural = true;
        return this;
    }

    /** {@return a timestamp drawn now} */
    long now() {
        return clock.nanos() / 1_000;
    }

    /** {@return the request that is on its way, and no other is} */
    Sent next(String what) {
        assertThat(sent).extracting(request -> request.what).containsExactly(what);
        return sent.remove();
    }

    /** {@return one of the requests that are on their way together} */
    Sent among(String what) {
        Sent found = sent.stream()
                .filter(request -> request.what.equals(what))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No " + what + " among "
                        + sent.stream().map(request -> request.what).toList()));
        sent.remove(found);
        return found;
    }

    /** Nothing is sent before so much time is over, and this then. */
    Sent nextAfter(Duration pause, String what) {
        clock.advance(pause.minusNanos(1));
        nothingSent();
        clock.advance(Duration.ofNanos(1));
        return next(what);
    }

    void nothingSent() {
        assertThat(sent).extracting(request -> request.what).isEmpty();
    }

    private <T> CompletionStage<T> send(
            String what, @Nullable Claim claim, @Nullable UUID seen, @Nullable UUID id, long timestamp) {
        Sent request = new Sent(what, claim, seen, id, timestamp);
        sent.add(request);
        return request.stage();
    }

    private CompletionStage<Void> sendWrite(String what, long timestamp) {
        return this.<Object>send(what, null, null, null, timestamp).thenAccept(done -> {});
    }

    /** {@return how a call has ended, which has failed} */
    static Throwable failureOf(CompletableFuture<?> call) {
        assertThat(call).isCompletedExceptionally();
        return DriverFailures.unwrapped(
                Objects.requireNonNull(call.handle((value, failure) -> failure).join()));
    }

    /** A claim of this row that stands in the table, and whose writer is gone. */
    static SeenClaim settled(String owner, long timestamp) {
        return settled(new Claim(owner, UUID.randomUUID(), UUID.randomUUID(), timestamp));
    }

    static SeenClaim settled(Claim claim) {
        return new SeenClaim(claim, false, Duration.ZERO);
    }

    /** A claim of this row whose writer may be at work. */
    static SeenClaim reserved(String owner, long timestamp) {
        return reserved(new Claim(owner, UUID.randomUUID(), UUID.randomUUID(), timestamp));
    }

    static SeenClaim reserved(Claim claim) {
        return new SeenClaim(claim, true, Duration.ofSeconds(7));
    }

    /** The email of a user is the login at a host. */
    static UniqueValue valueOf(UniqueConstraint constraint, @Nullable String login) {
        return constraint.value(
                Collections.singletonList(login == null || constraint.equals(LOGIN) ? login : login + "@host"));
    }

    /** The first user gets the login "a". */
    CompletableFuture<Void> insert() {
        return guard.insertAsync(rows, user("1", "a")).toCompletableFuture();
    }

    CompletableFuture<Void> change(String login) {
        return guard.changeAsync(rows, user("1", login)).toCompletableFuture();
    }

    CompletableFuture<Void> delete() {
        return guard.deleteAsync(rows, "1").toCompletableFuture();
    }

    private EntityWrite user(String owner, @Nullable String login) {
        return new EntityWrite(
                owner, constraint -> valueOf(constraint, login), timestamp -> sendWrite("write", timestamp));
    }

    final class Table implements ConstrainedRows {

        @Override
        public List<UniqueConstraint> constraints() {
            return constraints;
        }

        @Override
        public boolean isNaturalKey(UniqueConstraint constraint) {
            return natural && constraint.equals(LOGIN);
        }

        @Override
        public String rowClaim() {
            return "row of user";
        }

        @Override
        public boolean mayMix() {
            return mayMix;
        }

        @Override
        public CompletionStage<RowSnapshot> read(String owner) {
            return send("read " + owner, null, null, null, 0);
        }

        @Override
        public CompletionStage<RowSnapshot> readToRestore(String owner) {
            return send("read to restore " + owner, null, null, null, 0);
        }

        @Override
        public CompletionStage<Void> delete(String owner, long timestamp) {
            return sendWrite("delete " + owner, timestamp);
        }

        @Override
        public CompletionStage<Void> restore(RowSnapshot row, long timestamp) {
            return sendWrite("restore " + row.owner(), timestamp);
        }
    }

    /** The table of claims: each of its statements is a request. */
    private ClaimStore claims() {
        return (ClaimStore) Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(), new Class<?>[] {ClaimStore.class}, (proxy, method, given) -> {
                    String kind = switch (method.getName()) {
                        case "read" -> "look at";
                        case "readFence" -> "look at fence of";
                        case "raiseFence" -> "raise fence of";
                        default -> method.getName();
                    };
                    ClaimKey key = (ClaimKey) given[0];
                    Object last = given[given.length - 1];
                    Claim claim = last instanceof Claim made ? made : null;
                    return send(
                            kind + " " + key.constraint() + " " + key.value(),
                            claim,
                            given.length == 3 && given[1] instanceof UUID seen ? seen : null,
                            claim != null ? claim.claimId() : last instanceof UUID id ? id : null,
                            claim != null ? claim.writeTs() : last instanceof Long below ? below : 0);
                });
    }

    private final class Time implements UniqueTime {

        @Override
        public ClockCheck clocks() {
            return () -> apart;
        }

        @Override
        public long nanos() {
            return clock.nanos();
        }

        @Override
        public long nextTimestamp() {
            return now() + lead;
        }

        @Override
        public long wallMicros() {
            return now();
        }

        @Override
        public long ageOf(WriteScope scope) {
            return 0;
        }

        @Override
        public void after(long nanos, Runnable task) {
            Runnable unused = clock.after(nanos, task);
        }
    }

    /** Lines such as {@code insert SUCCEEDED after PT0S}. */
    private final class Events extends HeardObservations {

        @Override
        public void onStart(Observation.Context context) {
            context.put(Events.class, clock.nanos());
        }

        @Override
        public void onEvent(Observation.Event event, Observation.Context context) {
            events.add("taken over");
        }

        @Override
        public void onStop(Observation.Context context) {
            long begun = context.getRequired(Events.class);
            events.add("%s %s after %s"
                    .formatted(
                            low(context, "operation"),
                            outcome(context).toUpperCase(Locale.ROOT).replace('-', '_'),
                            Duration.ofNanos(clock.nanos() - begun)));
        }
    }
}
