package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.autoconfigure.StarterSession;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.Waits;
import io.surewrite.testsupport.InEachCell;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import io.surewrite.unique.UniqueReport.Duplicate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Claims for rows that were there before the constraint, on a real server. */
@InEachCell(InEachCell.Subject.UNIQUE_VALUES)
@ExtendWith(OutputCaptureExtension.class)
class UniqueConstraintsIntegrationTests extends CassandraTest {

    private static final int ROWS = 400;
    private static final int TWINS = 7;
    private static final int MANY_TWINS = 200;

    private static final String TABLE = "scanned";
    private static final UniqueConstraint EMAIL = UniqueConstraint.on(TABLE, "email");

    private static UniqueFixture fixture;
    private static CqlRows rows;

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE IF NOT EXISTS " + TABLE + " (id uuid PRIMARY KEY, email text, note text)");
        fixture = new UniqueFixture(session, ObservationRegistry.NOOP);
        rows = fixture.rows(TABLE, EMAIL);
    }

    /** It goes through all there is, so nothing of another test may be left. */
    @BeforeEach
    void empty() {
        List.of(TABLE, "surewrite_claim", "surewrite_unique_repair")
                .forEach(full -> session.execute("TRUNCATE " + full));
    }

    @Test
    void claimsEveryRowAndFindsExactlyTheDuplicates(CapturedOutput output) {
        fill(ROWS);
        fill(TWINS);
        session.execute("INSERT INTO " + TABLE + " (id, note) VALUES (uuid(), 'has no email')");
        UniqueConstraints constraints = constraints();
        assertThat(constraints.lastRepair(TABLE)).isEmpty();

        UniqueReport report = constraints.repair(TABLE);

        assertThat(report.rows()).isEqualTo(ROWS + TWINS);
        assertThat(report.claimed()).isEqualTo(ROWS);
        assertThat(report.progress()).isOne();
        assertThat(report.isValid()).isFalse();
        assertThat(report.duplicates()).isEqualTo(TWINS);
        assertThat(report.firstDuplicates())
                .extracting(Duplicate::value)
                .containsExactlyInAnyOrderElementsOf(emails(TWINS).stream()
                        .map(value -> Map.of("email", value))
                        .toList());
        assertThat(report.firstDuplicates()).allSatisfy(duplicate -> {
            assertThat(duplicate.holder()).isNotEqualTo(duplicate.other());
            assertThat(duplicate.toString()).doesNotContain("@");
        });
        assertThat(warnings(output))
                .singleElement()
                .asString()
                .contains("Unique constraint " + TABLE + " is not valid: of " + TWINS + " row(s)", " Fix: ")
                .contains(report.firstDuplicates().stream()
                        .map(Duplicate::toString)
                        .toList())
                .doesNotContain("@");
        assertThat(constraints.lastRepair(TABLE)).hasValueSatisfying(last -> {
            assertThat(last.withDuplicates(List.of())).isEqualTo(report.withDuplicates(List.of()));
            assertThat(last.firstDuplicates()).containsExactlyInAnyOrderElementsOf(report.firstDuplicates());
        });
        assertThatThrownBy(() -> insert(UUID.randomUUID(), "email123@example.org"))
                .isInstanceOf(DuplicateValueException.class);

        report.firstDuplicates()
                .forEach(twin -> fixture.delete(rows, owner((UUID) twin.other().get("id"))));
        UniqueReport again = constraints.repair(TABLE);
        assertThat(again.isValid()).isTrue();
        assertThat(again.claimed()).isZero();
        assertThat(constraints.lastRepair(TABLE)).contains(again);
        assertThat(constraints.audit(TABLE).isValid()).isTrue();
        assertThat(warnings(output)).hasSize(1);
    }

    private static List<String> warnings(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains(" WARN ") && line.contains("CatalogedConstraints"))
                .toList();
    }

    /** Not all of its requests come through: it is dead then. */
    private static CqlSession mortal(Predicate<BoundStatement> sends) {
        return mortal(session, sends);
    }

    private static CqlSession mortal(CqlSession session, Predicate<BoundStatement> sends) {
        AtomicBoolean dead = new AtomicBoolean();
        return Wire.between(session, (number, statement, request) -> {
            if (statement instanceof BoundStatement bound && !sends.test(bound)) {
                dead.set(true);
            }
            if (dead.get()) {
                throw new IllegalStateException("the process dies");
            }
            return request.get();
        });
    }

    private static boolean hasText(BoundStatement bound, String part) {
        return bound.getPreparedStatement().getQuery().contains(part);
    }

    private static boolean savesTheState(BoundStatement bound) {
        return hasText(bound, ":state");
    }

    /** A repair that is ended when half of its slices are done. */
    private static UniqueReport endInTheMiddle() {
        AtomicInteger saved = new AtomicInteger();
        CqlSession mortal =
                mortal(bound -> !savesTheState(bound) || saved.incrementAndGet() <= UniqueFixture.SLICES / 2);
        UniqueConstraints first = new UniqueFixture(mortal, ObservationRegistry.NOOP).constraints(TABLE, EMAIL);
        assertThatThrownBy(() -> first.repair(TABLE)).hasMessage("the process dies");
        UniqueReport before = constraints().lastRepair(TABLE).orElseThrow();
        assertThat(before.progress()).isBetween(0.4, 0.5);
        assertThat(before.isValid()).isFalse();
        return before;
    }

    /** So many twins that some are in the slice in which the process ended, which is looked at twice. */
    @Test
    void goesOnWhereAnotherProcessEnded() {
        fill(ROWS);
        fill(MANY_TWINS);
        UniqueReport before = endInTheMiddle();

        AtomicInteger slices = new AtomicInteger();
        CqlSession counting = mortal(bound -> {
            if (savesTheState(bound)) {
                slices.incrementAndGet();
            }
            return true;
        });
        UniqueReport report = new UniqueFixture(counting, ObservationRegistry.NOOP)
                .constraints(TABLE, EMAIL)
                .repair(TABLE);
        assertThat(slices).hasValue(UniqueFixture.SLICES / 2 + 1);
        assertThat(report.rows()).isEqualTo(ROWS + MANY_TWINS).isGreaterThan(before.rows());
        assertThat(report.duplicates()).isEqualTo(MANY_TWINS);
        assertThat(report.firstDuplicates()).hasSize(MANY_TWINS);
        assertThat(constraints().audit(TABLE)).satisfies(audit -> {
            assertThat(audit.missing()).isZero();
            assertThat(audit.duplicates()).isEqualTo(MANY_TWINS);
        });
    }

    /** What was written without the constraint since then would have no claim. */
    @Test
    void beginsAnewWhereTheOtherEndedTwoDaysAgo() {
        fill(ROWS);
        endInTheMiddle();
        session.execute(
                "UPDATE surewrite_unique_repair SET changed_at = ? WHERE constraint_name = ? AND value = '' AND other"
                        + " = ''",
                Instant.now().minus(Duration.ofDays(2)),
                TABLE);
        writePast(UUID.randomUUID(), "since then");
        assertThat(constraints().repair(TABLE).isValid()).isTrue();
        assertThat(constraints().audit(TABLE).missing()).isZero();
    }

    /** The second has looked whether a repair is under way before the first began, and begins when the first is nearly done. */
    @Test
    void findsTheDuplicatesAlsoIfAnotherRepairBeginsMeanwhile() {
        fill(ROWS);
        fill(TWINS);
        // What waits may wait on the only thread of a driver.
        CqlSession own = StarterSession.open(keyspace, true);
        CompletableFuture<Void> firstIsAtItsEnd = new CompletableFuture<>();
        CompletableFuture<Void> secondHasBegun = new CompletableFuture<>();
        CompletableFuture<Void> secondIsAboutToBegin = new CompletableFuture<>();
        CqlSession late = mortal(own, bound -> {
            if (hasText(bound, "DELETE FROM surewrite_unique_repair")) {
                secondIsAboutToBegin.complete(null);
                firstIsAtItsEnd.orTimeout(30, TimeUnit.SECONDS).join();
            } else if (hasText(bound, "token(")) {
                secondHasBegun.complete(null);
            }
            return true;
        });
        CqlSession early = mortal(bound -> {
            if (savesTheState(bound)
                    && bound.getMap("state", String.class, Long.class).containsValue(Long.MAX_VALUE)) {
                firstIsAtItsEnd.complete(null);
                secondHasBegun.orTimeout(30, TimeUnit.SECONDS).join();
            }
            return true;
        });
        UniqueConstraints second = new UniqueFixture(late, ObservationRegistry.NOOP).constraints(TABLE, EMAIL);
        UniqueConstraints first = new UniqueFixture(early, ObservationRegistry.NOOP).constraints(TABLE, EMAIL);

        CompletableFuture<UniqueReport> other =
                CompletableFuture.supplyAsync(() -> second.repair(TABLE), task -> new Thread(task).start());
        secondIsAboutToBegin.orTimeout(30, TimeUnit.SECONDS).join();
        UniqueReport report = first.repair(TABLE);

        assertThat(report.isValid()).isFalse();
        assertThat(report.duplicates()).isEqualTo(TWINS);
        assertThat(other.orTimeout(60, TimeUnit.SECONDS).join().duplicates()).isEqualTo(TWINS);
        assertThat(constraints().lastRepair(TABLE).orElseThrow().firstDuplicates())
                .hasSize(TWINS);
        own.close();
    }

    @Test
    void claimsWhileOthersWrite() {
        fill(ROWS / 2);
        UniqueReport first = repairWhileOthersWrite();
        // Until all is claimed a writer can take the value of a row that has no claim yet, and may have done so.
        assertThat(first.missing()).isZero();
        if (first.isValid()) {
            assertThat(constraints().audit(TABLE).missing()).isZero();
        }
        assertThat(constraints().repair(TABLE).isValid()).isTrue();

        assertThat(repairWhileOthersWrite().isValid()).isTrue();
        UniqueReport audit = constraints().audit(TABLE);
        assertThat(audit.missing()).isZero();
        assertThat(audit.duplicates()).isZero();
    }

    private UniqueReport repairWhileOthersWrite() {
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<Void>> writers = Stream.generate(
                        () -> CompletableFuture.runAsync(() -> write(over), task -> new Thread(task).start()))
                .limit(4)
                .toList();
        UniqueReport report = constraints().repair(TABLE);
        over.set(true);
        writers.forEach(CompletableFuture::join);
        return report;
    }

    /** Inserts, changes, takes values of others, deletes. */
    private void write(AtomicBoolean over) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!over.get()) {
            UUID id = UUID.randomUUID();
            try {
                insert(id, "email%d@example.org".formatted(random.nextInt(ROWS)));
                insert(UUID.randomUUID(), id + "@example.org");
                fixture.change(rows, write(id, "moved-" + id));
                if (random.nextBoolean()) {
                    fixture.delete(rows, owner(id));
                }
            } catch (DuplicateValueException | ClaimPendingException taken) {
                // who was later goes without
            }
        }
    }

    @Test
    @LongLane
    void findsAndMendsWhatDiffers() {
        UUID good = UUID.randomUUID();
        UUID past = UUID.randomUUID();
        UUID gone = UUID.randomUUID();
        insert(good, "good");
        writePast(past, "past");
        writePast(UUID.randomUUID(), "good");
        insert(gone, "gone");
        session.execute("DELETE FROM " + TABLE + " WHERE id = " + gone);
        UniqueConstraints constraints = constraints();

        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            UniqueReport audit = constraints.audit(TABLE);
            assertThat(audit.rows()).isEqualTo(3);
            assertThat(audit.missing()).isEqualTo(1);
            assertThat(audit.duplicates()).isEqualTo(1);
            assertThat(audit.orphans()).isEqualTo(1); // its lease must be over
            assertThat(audit.isValid()).isFalse();
        });
        assertThat(fixture.findOwner(rows, EMAIL, "past")).isEmpty();

        UniqueReport first = constraints.repair(TABLE);
        assertThat(first.claimed()).isEqualTo(1);
        assertThat(first.freed()).isZero();
        assertThat(fixture.findOwner(rows, EMAIL, "past")).contains(owner(past));
        assertThat(claimOfGone()).as("the first repair frees nothing").isNotNull();
        UniqueReport second = constraints.repair(TABLE);
        assertThat(second.claimed()).isZero();
        assertThat(second.freed()).isEqualTo(1);
        assertThat(claimOfGone()).isNull();
        UniqueReport after = constraints.audit(TABLE);
        assertThat(after.missing() + after.orphans()).isZero();
        assertThat(after.firstDuplicates())
                .singleElement()
                .satisfies(twin -> assertThat(twin.holder()).isEqualTo(Map.of("id", good)));
    }

    private static @Nullable Row claimOfGone() {
        return session.execute(
                        "SELECT owner FROM surewrite_claim WHERE constraint_name = ? AND value = '4:gone'", TABLE)
                .one();
    }

    /** What the dead writer sent arrives after a repair removed its claim, and comes to nothing. */
    @Test
    @Waits
    void stopsLateWritesOfTheClaimsItRemoves() {
        UUID dead = UUID.randomUUID();
        long late = io.surewrite.write.WriteTimestamps.of(session).next();
        ClaimKey key = WantedValue.keyOf(EMAIL, EMAIL.value(List.of("late")));
        fixture.store()
                .create(key, new Claim(owner(dead), UUID.randomUUID(), UUID.randomUUID(), late))
                .toCompletableFuture()
                .join();
        UniqueConstraints constraints = constraints();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> constraints.repair(TABLE).freed() == 1);
        write(dead, "late").writing().apply(late).toCompletableFuture().join();
        assertThat(session.execute("SELECT id FROM " + TABLE + " WHERE id = " + dead)
                        .one())
                .isNull();
    }

    private static UniqueConstraints constraints() {
        return fixture.constraints(TABLE, EMAIL);
    }

    private void insert(UUID id, String value) {
        fixture.insert(rows, write(id, value));
    }

    private EntityWrite write(UUID id, String value) {
        return fixture.write(rows, TABLE, "id", id, "email", value);
    }

    private String owner(UUID id) {
        return rows.owner(Map.of(CqlIdentifier.fromInternal("id"), id));
    }

    private void writePast(UUID id, String value) {
        session.execute("INSERT INTO " + TABLE + " (id, email) VALUES (?, ?)", id, value);
    }

    /** Rows that were there before. */
    private static void fill(int count) {
        PreparedStatement insert = session.prepare("INSERT INTO " + TABLE + " (id, email) VALUES (?, ?)");
        emails(count).forEach(value -> session.execute(insert.bind(UUID.randomUUID(), value)));
    }

    private static List<String> emails(int count) {
        return IntStream.range(0, count)
                .mapToObj("email%d@example.org"::formatted)
                .toList();
    }
}
