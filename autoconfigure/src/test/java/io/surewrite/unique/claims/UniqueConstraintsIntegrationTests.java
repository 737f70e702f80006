package io.surewrite.unique.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.Waits;
import io.surewrite.testsupport.InEachCell;
import io.surewrite.unique.ClaimPendingException;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.UniqueReport;
import io.surewrite.unique.UniqueReport.Duplicate;
import io.surewrite.unique.UniqueReport.State;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import io.surewrite.unique.rows.CqlRows;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims for rows that were there before the constraint, on a real server. */
@InEachCell(InEachCell.Subject.UNIQUE_VALUES)
class UniqueConstraintsIntegrationTests extends CassandraTest {

    private static final int ROWS = 400;
    private static final int TWINS = 7;
    private static final int AT_ONCE = 100;

    private static final String TABLE = "scanned";
    private static final UniqueConstraint EMAIL = UniqueConstraint.on(TABLE, "email");

    private static UniqueFixture fixture;
    private static CqlRows rows;

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE IF NOT EXISTS " + TABLE + " (id uuid PRIMARY KEY, email text, note text)");
        fixture = new UniqueFixture(session, UniqueListener.NONE);
        rows = fixture.rows(TABLE, EMAIL);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    /** It goes through all there is, so nothing of another test may be left. */
    @BeforeEach
    void empty() {
        List.of(TABLE, "surewrite_claim", "surewrite_unique_build", "surewrite_unique_duplicate")
                .forEach(full -> session.execute("TRUNCATE " + full));
    }

    @Test
    void claimsEveryRowAndFindsExactlyTheDuplicates() {
        fill(0, ROWS);
        fill(0, TWINS);
        session.execute("INSERT INTO " + TABLE + " (id, note) VALUES (uuid(), 'has no email')");
        Queue<UniqueReport> progress = new ConcurrentLinkedQueue<>();
        UniqueConstraints constraints = constraints(new UniqueListener() {
            @Override
            public void scanned(UniqueReport soFar) {
                progress.add(soFar);
            }
        });
        assertThat(constraints.lastBuild(TABLE)).isEmpty();

        UniqueReport report = constraints.build(TABLE);

        assertThat(report.rows()).isEqualTo(ROWS + TWINS);
        assertThat(report.claimed()).isEqualTo(ROWS);
        assertThat(report.state()).isEqualTo(State.VIOLATED);
        assertThat(report.duplicates()).isEqualTo(TWINS);
        assertThat(report.firstDuplicates())
                .extracting(Duplicate::value)
                .containsExactlyInAnyOrderElementsOf(emails(0, TWINS).stream()
                        .map(value -> Map.of("email", value))
                        .toList());
        assertThat(report.firstDuplicates()).allSatisfy(duplicate -> {
            assertThat(duplicate.holder()).isNotEqualTo(duplicate.other());
            assertThat(duplicate.toString()).doesNotContain("@");
        });
        assertThat(progress).extracting(UniqueReport::progress).isSorted().hasSizeGreaterThan(30);
        assertThat(constraints.lastBuild(TABLE)).contains(report.withDuplicates(List.of()));
        assertThatThrownBy(() -> insert(UUID.randomUUID(), "email123@example.org"))
                .isInstanceOf(DuplicateValueException.class);

        report.firstDuplicates()
                .forEach(twin -> fixture.delete(rows, owner((UUID) twin.other().get("id"))));
        assertThat(constraints.build(TABLE).state()).isEqualTo(State.VALID);
        assertThat(constraints.audit(TABLE).missing()).isZero();
    }

    @Test
    void goesOnWhereAnotherProcessEnded() {
        fill(0, ROWS);
        fill(0, TWINS);
        AtomicBoolean slow = new AtomicBoolean(true);
        AtomicBoolean dead = new AtomicBoolean();
        CqlSession mortal = (CqlSession) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    if (dead.get() && method.getName().startsWith("execute")) {
                        throw new IllegalStateException("the process dies");
                    }
                    try {
                        return method.invoke(session, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
        UniqueListener death = new UniqueListener() {
            @Override
            public void scanned(UniqueReport soFar) {
                if (soFar.progress() > 0.3 && slow.getAndSet(false)) {
                    LockSupport.parkNanos(300_000_000); // it saves where it is five times a second
                }
                if (soFar.progress() > 0.6) {
                    dead.set(true);
                }
            }
        };
        UniqueConstraints first = new UniqueFixture(mortal, UniqueListener.NONE).constraints(TABLE, death, EMAIL);
        assertThatThrownBy(() -> first.build(TABLE)).hasMessage("the process dies");
        dead.set(false);
        UniqueReport before = first.lastBuild(TABLE).orElseThrow();
        assertThat(before.state()).isEqualTo(State.UNFINISHED);
        assertThat(before.progress()).isBetween(0.3, 0.6);

        List<UniqueReport> progress = new ArrayList<>();
        UniqueReport report = constraints(new UniqueListener() {
                    @Override
                    public void scanned(UniqueReport soFar) {
                        progress.add(soFar);
                    }
                })
                .build(TABLE);
        assertThat(progress.get(0).progress()).isGreaterThan(before.progress());
        assertThat(report.rows()).isEqualTo(ROWS + TWINS);
        assertThat(report.claimed()).isEqualTo(ROWS);
        assertThat(report.duplicates()).isEqualTo(TWINS);
        assertThat(report.firstDuplicates()).hasSize(TWINS);
    }

    /** The second has looked whether a build is under way before the first began, and begins when the first is nearly done. */
    @Test
    void findsTheDuplicatesAlsoIfAnotherBuildBeginsMeanwhile() {
        fill(0, ROWS);
        fill(0, TWINS);
        CompletableFuture<Void> firstIsAtItsEnd = new CompletableFuture<>();
        CompletableFuture<Void> secondHasBegun = new CompletableFuture<>();
        CompletableFuture<Void> secondIsAboutToBegin = new CompletableFuture<>();
        CqlSession late = (CqlSession) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("executeAsync") && changesARecord(arguments[0])) {
                        secondIsAboutToBegin.complete(null);
                        return firstIsAtItsEnd.thenCompose(end -> session.executeAsync((BoundStatement) arguments[0]));
                    }
                    try {
                        return method.invoke(session, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
        UniqueConstraints second = new UniqueFixture(late, UniqueListener.NONE)
                .constraints(
                        TABLE,
                        new UniqueListener() {
                            @Override
                            public void scanned(UniqueReport soFar) {
                                secondHasBegun.complete(null);
                            }
                        },
                        EMAIL);
        UniqueConstraints first = constraints(new UniqueListener() {
            @Override
            public void scanned(UniqueReport soFar) {
                if (soFar.progress() == 1 && soFar.state() == State.UNFINISHED) {
                    firstIsAtItsEnd.complete(null);
                    secondHasBegun.orTimeout(30, TimeUnit.SECONDS).join();
                }
            }
        });

        CompletableFuture<UniqueReport> other =
                CompletableFuture.supplyAsync(() -> second.build(TABLE), task -> new Thread(task).start());
        secondIsAboutToBegin.orTimeout(30, TimeUnit.SECONDS).join();
        UniqueReport report = first.build(TABLE);

        assertThat(report.state()).isEqualTo(State.VIOLATED);
        assertThat(report.duplicates()).isEqualTo(TWINS);
        assertThat(other.orTimeout(60, TimeUnit.SECONDS).join().duplicates()).isEqualTo(TWINS);
    }

    private static boolean changesARecord(Object statement) {
        return statement instanceof BoundStatement bound
                && bound.getPreparedStatement().getQuery().contains("surewrite_unique_")
                && !bound.getPreparedStatement().getQuery().startsWith("SELECT");
    }

    /** Its constraint has the name of one whose table had another primary key. */
    @Test
    void forgetsDuplicatesOfAnotherTable() {
        fill(0, TWINS);
        session.execute("INSERT INTO surewrite_unique_duplicate (constraint_name, value, other, holder) VALUES ('"
                + TABLE + "', '1:a', '3:one', '3:two')");
        assertThat(constraints(UniqueListener.NONE).build(TABLE).state()).isEqualTo(State.VALID);
        assertThat(session.execute("SELECT * FROM surewrite_unique_duplicate").all())
                .isEmpty();
    }

    @Test
    void claimsWhileOthersWrite() throws Exception {
        fill(0, ROWS / 2);
        AtomicBoolean allClaimed = new AtomicBoolean();
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<Void>> writers = new ArrayList<>(writers(0, allClaimed));
        UniqueConstraints constraints = constraints(new UniqueListener() {
            /**
             * Until then a writer can take the value of a row that has no claim yet. Such duplicates must be gone before the build
             * looks at them again, which these writers can be too slow for.
             */
            @Override
            public void scanned(UniqueReport soFar) {
                if (soFar.progress() == 1 && soFar.state() == State.UNFINISHED) {
                    allClaimed.set(true);
                    writers.forEach(CompletableFuture::join);
                    writers.addAll(writers(ROWS / 2, over));
                }
            }
        });
        UniqueReport built = constraints.build(TABLE);
        over.set(true);
        assertThat(writers).hasSize(8);
        writers.forEach(CompletableFuture::join);

        assertThat(built.state()).isEqualTo(State.VALID);
        UniqueReport audit = constraints.audit(TABLE);
        assertThat(audit.missing()).isZero();
        assertThat(audit.duplicates()).isZero();
    }

    private List<CompletableFuture<Void>> writers(int from, AtomicBoolean over) {
        return Stream.generate(
                        () -> CompletableFuture.runAsync(() -> write(from, over), task -> new Thread(task).start()))
                .limit(4)
                .toList();
    }

    /** Inserts, changes, takes values of others, deletes. */
    private void write(int from, AtomicBoolean over) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!over.get()) {
            UUID id = UUID.randomUUID();
            try {
                insert(id, "email%d@example.org".formatted(random.nextInt(from, ROWS)));
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
    void findsAndMendsWhatDiffers() {
        UUID good = UUID.randomUUID();
        UUID past = UUID.randomUUID();
        UUID gone = UUID.randomUUID();
        insert(good, "good");
        writePast(past, "past");
        writePast(UUID.randomUUID(), "good");
        insert(gone, "gone");
        session.execute("DELETE FROM " + TABLE + " WHERE id = " + gone);
        UniqueConstraints constraints = constraints(UniqueListener.NONE);

        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            UniqueReport audit = constraints.audit(TABLE);
            assertThat(audit.rows()).isEqualTo(3);
            assertThat(audit.missing()).isEqualTo(1);
            assertThat(audit.duplicates()).isEqualTo(1);
            assertThat(audit.orphans()).isEqualTo(1); // its lease must be over
            assertThat(audit.state()).isEqualTo(State.VIOLATED);
        });
        assertThat(fixture.findOwner(rows, EMAIL, "past")).isEmpty();

        UniqueReport repair = constraints.repair(TABLE, false);
        assertThat(repair.claimed()).isEqualTo(1);
        assertThat(repair.freed()).isEqualTo(1);
        assertThat(fixture.findOwner(rows, EMAIL, "past")).contains(owner(past));
        assertThat(session.execute(
                                "SELECT owner FROM surewrite_claim WHERE constraint_name = ? AND value = '4:gone'",
                                TABLE)
                        .one())
                .isNull();
        UniqueReport after = constraints.audit(TABLE);
        assertThat(after.missing() + after.orphans()).isZero();
        assertThat(after.firstDuplicates())
                .singleElement()
                .satisfies(twin -> assertThat(twin.holder()).isEqualTo(Map.of("id", good)));
    }

    /** What the dead writer sent arrives after a repair removed its claim, and comes to nothing. */
    @Test
    @Waits
    void stopsLateWritesOfTheClaimsItRemoves() {
        UUID dead = UUID.randomUUID();
        long late = io.surewrite.cql.WriteTimestamps.of(session).next();
        ClaimKey key = WantedValue.keyOf(EMAIL, EMAIL.value(List.of("late")));
        fixture.store()
                .create(key, new Claim(owner(dead), UUID.randomUUID(), UUID.randomUUID(), late))
                .toCompletableFuture()
                .join();
        UniqueConstraints constraints = constraints(UniqueListener.NONE);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> constraints.repair(TABLE, false).freed() == 1);
        write(dead, "late").write(late).toCompletableFuture().join();
        assertThat(session.execute("SELECT id FROM " + TABLE + " WHERE id = " + dead)
                        .one())
                .isNull();
    }

    @Test
    void knowsItsConstraints() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> constraints(UniqueListener.NONE).build("unknown"))
                .withMessageContaining("There is no unique constraint 'unknown'; there are [" + TABLE + "]");
    }

    @Test
    void namesRowsThatEndByThemselves() {
        session.execute(
                "CREATE TABLE IF NOT EXISTS ending (id uuid PRIMARY KEY, email text) WITH default_time_to_live = 60");
        assertThat(CqlRows.problems(table("ending"), List.of(EMAIL)))
                .singleElement()
                .asString()
                .startsWith("its rows end by themselves after 60 s and leave their claims behind");
        assertThat(CqlRows.problems(table(TABLE), List.of(EMAIL))).isEmpty();
    }

    private static TableMetadata table(String name) {
        return session.getMetadata()
                .getKeyspace(keyspace.name())
                .orElseThrow()
                .getTable(name)
                .orElseThrow();
    }

    private UniqueConstraints constraints(UniqueListener listener) {
        return fixture.constraints(TABLE, listener, EMAIL);
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
    private void fill(int from, int to) {
        PreparedStatement insert = session.prepare("INSERT INTO " + TABLE + " (id, email) VALUES (?, ?)");
        List<String> emails = emails(from, to);
        for (int i = 0; i < emails.size(); i += AT_ONCE) {
            CompletableFuture.allOf(emails.subList(i, Math.min(emails.size(), i + AT_ONCE)).stream()
                            .map(value -> session.executeAsync(insert.bind(UUID.randomUUID(), value))
                                    .toCompletableFuture())
                            .toArray(CompletableFuture<?>[]::new))
                    .join();
        }
    }

    private static List<String> emails(int from, int to) {
        List<String> emails = new ArrayList<>();
        for (int i = from; i < to; i++) {
            emails.add("email%d@example.org".formatted(i));
        }
        return emails;
    }
}
