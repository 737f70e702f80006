package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A constraint of several columns, on a real server: no row shows a part of one write and a part of another. */
class RowClaimIntegrationTests extends CassandraTest {

    private static final UniqueConstraint SEAT = UniqueConstraint.on("guest_seat", "house", "seat");

    private static UniqueFixture fixture;
    private static CqlRows guests;

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE IF NOT EXISTS guest (id uuid PRIMARY KEY, house text, seat int)");
        fixture = new UniqueFixture(session, ObservationRegistry.NOOP);
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
}
