package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.observe.HeardObservations;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.Waits;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimAnswer;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A constraint of several columns, on a real server: no row shows a part of one write and a part of another. */
class RowClaimIntegrationTests extends CassandraTest {

    private static final UniqueConstraint SEAT = UniqueConstraint.on("guest_seat", "house", "seat");

    private static final ConcurrentLinkedQueue<String> FENCES = new ConcurrentLinkedQueue<>();
    private static UniqueFixture fixture;
    private static CqlRows guests;

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE IF NOT EXISTS guest (id uuid PRIMARY KEY, house text, seat int)");
        fixture = new UniqueFixture(
                session,
                new HeardObservations() {
                    @Override
                    public void onEvent(Observation.Event event, Observation.Context context) {
                        FENCES.add(event.getContextualName());
                    }
                }.registry());
        guests = fixture.rows("guest", SEAT);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    private static EntityWrite guest(UUID id, String house, int seat) {
        return fixture.write(guests, "guest", "id", id, "house", house, "seat", seat);
    }

    private static String owner(UUID id) {
        return guests.owner(Map.of(CqlIdentifier.fromInternal("id"), id));
    }

    private static List<?> shown(UUID id) {
        Row row = Objects.requireNonNull(session.execute("SELECT house, seat FROM guest WHERE id = " + id)
                .one());
        return List.of(Objects.requireNonNull(row.getString(0)), row.getInt(1));
    }

    @Test
    void keepsTwoChangesOfARowApartWhoseClocksShowTheSame() {
        for (int round = 0; round < 20; round++) {
            UUID id = UUID.randomUUID();
            String house = "house of " + id;
            fixture.insert(guests, guest(id, house, 0));
            long now = WriteTimestamps.of(session).next();
            var one = guardAt(now).changeAsync(guests, guest(id, house, 2)).toCompletableFuture();
            var other = guardAt(now)
                    .changeAsync(guests, guest(id, "other " + house, 1))
                    .toCompletableFuture();
            CompletableFuture.allOf(one, other).join();

            List<?> shown = shown(id);
            assertThat(shown).isIn(List.of(house, 2), List.of("other " + house, 1));
            assertThat(fixture.findOwner(guests, SEAT, shown.toArray())).contains(owner(id));
        }
    }

    /** A guard whose clock stands still. */
    private static ClaimingGuard guardAt(long timestamp) {
        UniqueTime real = UniqueTime.of(WriteTimestamps.of(session));
        UniqueTime still = new UniqueTime() {
            @Override
            public long nanos() {
                return real.nanos();
            }

            @Override
            public long nextTimestamp() {
                return timestamp;
            }

            @Override
            public long madeAt(WriteScope scope) {
                return real.madeAt(scope);
            }

            @Override
            public long ageOf(WriteScope scope) {
                return real.ageOf(scope);
            }

            @Override
            public void after(long nanos, Runnable task) {
                real.after(nanos, task);
            }
        };
        return new ClaimingGuard(
                new GuardParts(
                        fixture.store(),
                        still,
                        new UniqueRules(),
                        UniqueFixture.SETTINGS,
                        1,
                        UUID::randomUUID,
                        () -> 0.5,
                        ObservationRegistry.NOOP),
                constraint -> {
                    throw new UnsupportedOperationException();
                });
    }

    /** Whether the row was never written over, and so has no claim of its own yet, or was. */
    @Test
    @Waits
    void restoresARowAboveEveryClaimOfIt() {
        UUID id = UUID.randomUUID();
        String house = "house of " + id;
        fixture.insert(guests, guest(id, house, 1));
        takeOverAWriteThatNeverCame(id, house, 1);

        fixture.change(guests, guest(id, house, 2));
        takeOverAWriteThatNeverCame(id, house, 2);

        fixture.delete(guests, owner(id));
        ClaimKey row = WantedValue.ofRow(guests, owner(id));
        assertThat(fixture.store().read(row).toCompletableFuture().join()).isEmpty();
    }

    private static void takeOverAWriteThatNeverCame(UUID dead, String house, int seat) {
        String wanted = "wanted " + UUID.randomUUID();
        long late = WriteTimestamps.of(session).next();
        Claim claim = new Claim(owner(dead), UUID.randomUUID(), UUID.randomUUID(), late);
        ClaimKey key = WantedValue.keyOf(SEAT, SEAT.value(List.of(wanted, 9)));
        assertThat(fixture.store().create(key, claim).toCompletableFuture().join())
                .isInstanceOf(ClaimAnswer.Done.class);
        FENCES.clear();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .untilAsserted(() -> fixture.insert(guests, guest(UUID.randomUUID(), wanted, 9)));
        assertThat(FENCES).containsExactly("restored");

        guest(dead, wanted, 9).write(late).toCompletableFuture().join();
        assertThat(shown(dead)).isEqualTo(List.of(house, seat));
        assertThat(fixture.findOwner(guests, SEAT, house, seat)).contains(owner(dead));
    }
}
