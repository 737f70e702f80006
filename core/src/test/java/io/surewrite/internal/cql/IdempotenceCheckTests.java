package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultTableMetadata;
import io.surewrite.internal.cql.IdempotenceVerdict.Refusal;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotenceCheckTests {

    private static final TestSchema SCHEMA = new TestSchema();

    private final IdempotenceCheck check = new IdempotenceCheck(false);
    private final IdempotenceCheck lenient = new IdempotenceCheck(true);

    @Test
    void namesTheTokenItsPlaceTheReasonAndTheMend() {
        IdempotenceVerdict verdict = check.check("INSERT INTO plain (pk, ck, tu)\n  VALUES (?0, ?1, now())", SCHEMA);

        assertThat(verdict.refusals().isEmpty()).isFalse();
        assertThat(verdict.refusals()).containsExactly(new Refusal(RefusalReason.SERVER_VALUE, "now", 2, 19));
        assertThat(verdict.refusals().get(0).message())
                .isEqualTo("'now' (line 2, column 19): the server computes it anew at every attempt."
                        + " Fix: make the value in the client, once a call, and bind it as a parameter.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO plain (pk, ck, v) VALUES (?0, ?1, ?2)",
                "INSERT INTO plain (pk, ck, v) VALUES (:pk,:ck,:v)",
                "UPDATE plain SET v = :#{#plain.value} WHERE pk = :#{#plain.pk} AND ck = ?#{[1].ck}",
                "DELETE FROM plain WHERE pk IN ?0",
                "DELETE FROM plain WHERE pk IN :pks AND ck IN (:a, :#{#b})",
                "UPDATE colls SET m[:key] = :value, s = s + :more WHERE pk = ?0 AND ck = ?1",
                "INSERT INTO plain (pk, ck) VALUES (?0, ?1) USING TIMESTAMP :#{#ts}"
            })
    void acceptsPlaceholdersOfSpringDataThatStandForParameters(String cql) {
        assertThat(check.check(cql, SCHEMA).refusals()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO plain (pk, ck, u) VALUES (?0, ?1, :#{T(java.util.UUID).randomUUID()})",
                "INSERT INTO plain (pk, ck, w) VALUES (?0, ?1, ?${random.uuid})",
                "UPDATE plain SET v = :#{counter.next()} WHERE pk = ?0 AND ck = ?1",
                "UPDATE plain SET v = 1 WHERE pk = ?0 AND ck = ?#{#next()}",
                "INSERT INTO plain (pk, ck) VALUES (?0, ?1) USING TIMESTAMP :#{T(System).nanoTime()}",
                "DELETE FROM plain WHERE pk IN ?#{ids()}"
            })
    void refusesPlaceholdersThatAreComputedAtEveryAttempt(String cql) {
        assertThat(reasons(check.check(cql, SCHEMA))).containsExactly(RefusalReason.EXPRESSION);
    }

    @Test
    void tellsWhetherTheTextHasATimestampOfItsOwn() {
        assertThat(check.check("DELETE FROM plain USING TIMESTAMP 1 WHERE pk = 1", SCHEMA)
                        .reasonsAgainstWaiting())
                .containsExactly("its timestamp stands in the text. Fix: leave it out or bind it: USING TIMESTAMP ?");
        assertThat(check.check("INSERT INTO plain (pk, ck) VALUES (1, ?) USING TTL 0 AND TIMESTAMP ?", SCHEMA)
                        .timestampMarkers())
                .containsExactly(1);
        assertThat(check.check("BEGIN BATCH USING TIMESTAMP ?0 DELETE FROM plain WHERE pk = 1; APPLY BATCH", SCHEMA)
                        .timestampMarkers())
                .containsExactly(0);
        assertThat(check.check("UPDATE \"MixedCase\" SET timestamp = 1 WHERE \"Id\" = 1", SCHEMA))
                .satisfies(
                        verdict -> assertThat(verdict.reasonsAgainstWaiting()).isEmpty())
                .satisfies(verdict -> assertThat(verdict.timestampMarkers()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO plain (pk, ck, v) VALUES (1, 2, 3) USING TTL 60",
                "INSERT INTO plain (pk, ck, v) VALUES (1, 2, 3) USING TTL ? AND TIMESTAMP ?",
                "UPDATE plain USING TTL :ttl SET v = 3 WHERE pk = 1 AND ck = 2",
                "INSERT INTO expiring (pk, v) VALUES (1, 2)"
            })
    void acceptsATimeToLiveThatTheUserAcceptsKnowingly(String cql) {
        assertThat(reasons(check.check(cql, SCHEMA))).containsExactly(RefusalReason.RELATIVE_TTL);
        assertThat(lenient.check(cql, SCHEMA).refusals()).isEmpty();
    }

    @Test
    void acceptsNothingElseWithThatAllowance() {
        assertThat(Corpus.entries())
                .filteredOn(entry -> !Set.copyOf(entry.expected()).equals(Set.of(RefusalReason.RELATIVE_TTL)))
                .allSatisfy(entry -> assertThat(
                                lenient.check(entry.cql(), SCHEMA).refusals().isEmpty())
                        .isEqualTo(entry.expected().isEmpty()));
    }

    @Test
    void refusesVirtualTablesAndTablesThatHideTheirTimeToLive() {
        assertThat(reasons(check.check("DELETE FROM t WHERE pk = 1", lookup(true))))
                .containsExactly(RefusalReason.NOT_A_ROW_WRITE);
        assertThat(reasons(check.check("UPDATE t SET v = 1 WHERE pk = 1", lookup(false))))
                .containsExactly(RefusalReason.RELATIVE_TTL);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "-- nothing",
                "INSERT INTO plain (pk",
                "INSERT INTO plain (pk, ck) VALUES (1)",
                "INSERT INTO plain (pk) VALUES (1, 2)",
                "INSERT INTO plain (pk, ck) VALUES (1, 2) USING TIMESTAMP 'x'",
                "INSERT INTO plain (pk, ck) VALUES (1, 2) USING TTL 0 + 1",
                "INSERT INTO plain (pk, ck) VALUES (1, 2); DELETE FROM plain WHERE pk = 1",
                "INSERT INTO plain (pk, ck, w) VALUES (1, 2, 'unterminated)",
                "INSERT INTO plain (pk, ck, w) VALUES (1, 2, w)",
                "INSERT INTO plain (pk, ck, v) VALUES (1, 2, (int) 1)",
                "UPDATE plain SET v = 1",
                "UPDATE plain SET v = 1 WHERE pk = 1 OR ck = 2",
                "UPDATE plain SET v = w + 1 WHERE pk = 1",
                "UPDATE plain SET v = 1 + w WHERE pk = 1",
                "UPDATE plain SET v = ? ? WHERE pk = 1 AND ck = 2",
                "UPDATE plain SET v = 1 + WHERE pk = 1 AND ck = 2",
                "UPDATE plain SET v = (1,) WHERE pk = 1 AND ck = 2",
                "UPDATE colls SET s = s * {'a'} WHERE pk = 1",
                "UPDATE colls SET s[1 = 2 WHERE pk = 1",
                "DELETE FROM plain",
                "DELETE v w FROM plain WHERE pk = 1",
                "DELETE FROM plain USING TTL 0 WHERE pk = 1",
                "DELETE FROM plain WHERE pk = 1 )",
                "BEGIN BATCH DELETE FROM plain WHERE pk = 1",
                "BEGIN BATCH SELECT * FROM plain APPLY BATCH",
                "BEGIN LOGGED BATCH APPLY BATCH",
                "'INSERT'",
                "\"insert\" INTO plain (pk) VALUES (1)"
            })
    void refusesBadInputAsNotUnderstood(@Nullable String cql) {
        assertThat(reasons(check.check(cql, SCHEMA))).containsExactly(RefusalReason.NOT_UNDERSTOOD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[", "{", "{1: ", "abs(", "CAST(", "- (", "'a", "?#{", "1y", "x."})
    void answersAtOnceHoweverLongOrDeepTheText(String part) {
        String cql = "INSERT INTO plain (pk, ck, w) VALUES (1, 2, " + part.repeat(1_000_000 / part.length()) + ")";

        IdempotenceVerdict verdict = assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long began = threads.getCurrentThreadCpuTime(); // a machine that is busy with others takes longer
            IdempotenceVerdict found = check.check(cql, SCHEMA);
            assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - began))
                    .isLessThan(Duration.ofSeconds(20));
            return found;
        });

        assertThat(verdict.refusals())
                .isNotEmpty()
                .allSatisfy(refusal -> assertThat(refusal.message()).hasSizeLessThan(400));
    }

    @Test
    void refusesAnOverwriteOfListsCountersAndOfWhatExpires() {
        assertThat(reasons(check.checkOverwrite(SCHEMA.table("plain"), columns("pk", "ck", "v", "vec"))))
                .isEmpty();
        assertThat(reasons(check.checkOverwrite(SCHEMA.table("colls"), columns("pk", "ck", "s", "m", "fl", "home"))))
                .isEmpty();
        assertThat(check.checkOverwrite(SCHEMA.table("colls"), columns("pk", "ck", "l", "s", "ld"))
                        .refusals())
                .containsExactly(
                        new Refusal(RefusalReason.LIST_OVERWRITE, "l", 0, 0),
                        new Refusal(RefusalReason.LIST_OVERWRITE, "ld", 0, 0));
        assertThat(reasons(check.checkOverwrite(SCHEMA.table("colls"), columns("pk", "nothing"))))
                .containsExactly(RefusalReason.UNKNOWN_COLUMN);
        assertThat(reasons(check.checkOverwrite(SCHEMA.table("hits"), columns("page"))))
                .containsExactly(RefusalReason.COUNTER);
        assertThat(reasons(check.checkOverwrite(SCHEMA.table("expiring"), columns("pk", "v"))))
                .containsExactly(RefusalReason.RELATIVE_TTL);
        assertThat(reasons(lenient.checkOverwrite(SCHEMA.table("expiring"), columns("pk", "v"))))
                .isEmpty();
    }

    @Test
    void refusesDeletionsOfCountersOnly() {
        assertThat(reasons(check.checkDelete(SCHEMA.table("hits")))).containsExactly(RefusalReason.COUNTER);
        assertThat(reasons(check.checkDelete(SCHEMA.table("expiring")))).isEmpty();
        assertThat(reasons(check.checkDelete(SCHEMA.table("colls")))).isEmpty();
    }

    private static List<RefusalReason> reasons(IdempotenceVerdict verdict) {
        return verdict.refusals().stream().map(Refusal::reason).toList();
    }

    private static List<CqlIdentifier> columns(String... names) {
        return List.of(names).stream().map(CqlIdentifier::fromCql).toList();
    }

    /** A table of two int columns, as a driver might describe it that sees no options. */
    private static TableLookup lookup(boolean virtual) {
        TableMetadata model = SCHEMA.table("plain");
        ColumnMetadata key = model.getColumn("pk").orElseThrow();
        Map<CqlIdentifier, ColumnMetadata> columns = Map.of(
                key.getName(),
                key,
                CqlIdentifier.fromCql("v"),
                model.getColumn("v").orElseThrow());
        TableMetadata table = new DefaultTableMetadata(
                TestSchema.KEYSPACE,
                CqlIdentifier.fromCql("t"),
                UUID.randomUUID(),
                false,
                virtual,
                List.of(key),
                Map.of(),
                columns,
                Map.of(),
                Map.of());
        return (keyspace, name) -> Optional.of(table);
    }
}
