package io.surewrite.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.journal.AttributeJournal.EntityState;
import io.surewrite.journal.AttributeJournal.JournalEntry;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.InEachCell;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.SentWrites;
import io.surewrite.write.WriteScope;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.core.cql.CqlTemplate;

@InEachCell(InEachCell.Subject.JOURNAL)
class AttributeJournalIntegrationTests extends CassandraTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant JUNE = Instant.parse("2026-06-10T08:00:00Z");
    private static final Instant AUGUST = Instant.parse("2026-08-10T08:00:00Z");

    private final String id = UUID.randomUUID().toString();
    private final AttributeJournal journal = journal(new CqlTemplate(session));

    @BeforeAll
    static void createTables() {
        shared(List.of("surewrite.journal.enabled=true"));
    }

    @Test
    void refusesSettingsThatCannotBeRightOrThatOthersDoNotHave() {
        assertRefused("entries-a-month=60000", "is kept with buckets of a MONTH", "is configured for buckets of a DAY");
        assertRefused(
                "consistency=all",
                "consistency QUORUM and SERIAL",
                "configured for buckets of a MONTH, consistency ALL");
        assertRefused(
                "time-to-live=30d",
                "time to live PT0S",
                "time to live PT720H",
                "DELETE FROM %s.surewrite_journal_state WHERE entity = 'surewrite:journal'".formatted(keyspace.name()));
        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> journal.record("surewrite:journal", Map.of("name", "Ann"), JUNE));
    }

    private static void assertRefused(String property, String... reasons) {
        application()
                .withPropertyValues("surewrite.journal.enabled=true", "surewrite.journal." + property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContainingAll(reasons));
    }

    @Test
    void makesOneRowOfTenRecordings() {
        for (int i = 0; i < 10; i++) {
            journal(new CqlTemplate(session)).record(id, Map.of("name", "Ann"), JUNE);
        }

        assertThat(session.execute("SELECT * FROM surewrite_journal WHERE entity = ? ALLOW FILTERING", id)
                        .all())
                .hasSize(1);
        assertThat(journal.history(id, "name", null, 10)).hasSize(1);
    }

    @Test
    void sortsLateArrivalsWhereTheyBelong() {
        journal.record(id, Map.of("name", "June"), JUNE);
        journal.record(id, Map.of("name", "August"), AUGUST);

        Instant july = Instant.parse("2026-07-05T00:00:00Z");
        journal.record(id, Map.of("name", "July", "city", "Bonn"), july);

        assertThat(values(journal.current(id))).isEqualTo(Map.of("name", "August", "city", "Bonn"));
        assertThat(values(journal.asOf(id, july))).isEqualTo(Map.of("name", "July", "city", "Bonn"));
        assertThat(values(journal.asOf(id, AUGUST.minusSeconds(1)))).isEqualTo(Map.of("name", "July", "city", "Bonn"));
        assertThat(journal.history(id, "name", null, 10))
                .extracting(JournalEntry::at)
                .containsExactly(AUGUST, july, JUNE);
    }

    @Test
    void keepsEveryTypeAndForgetsWhatIsNone() {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("text", "t:ext");
        attributes.put("number", new BigDecimal("1.50"));
        attributes.put("yes", true);
        attributes.put("instant", JUNE);
        attributes.put("json", new AttributeValue.Json("{\"a\": [1]}"));
        attributes.put("gone", null);
        journal.record(id, attributes, JUNE);

        EntityState state = journal.current(id);

        attributes.remove("gone");
        attributes.put("json", "{\"a\": [1]}");
        assertThat(values(state)).isEqualTo(attributes);
        assertThat(state.value("json")).contains(new AttributeValue.Json("{\"a\": [1]}"));
        assertThat(state.value("gone")).isEmpty();
        assertThat(journal.history(id, "gone", null, 1))
                .containsExactly(new JournalEntry("gone", new AttributeValue.None(), JUNE));
    }

    @Test
    void letsOneOfTwoWinEverywhereWhenTheyShareAnInstant() {
        journal.record(id, Map.of("name", "Eve"), JUNE);
        journal.record(id, Map.of("name", "Ann"), JUNE);

        assertThat(values(journal.current(id))).isEqualTo(Map.of("name", "Eve"));
        assertThat(values(journal.asOf(id, JUNE))).isEqualTo(Map.of("name", "Eve"));
    }

    /** Twenty attributes over 24 months; the benchmark does the same with 100,000 values. */
    @Test
    void readsOnePartitionForTheCurrentStateAndTwoForAnyOther() {
        OffsetDateTime begin = OffsetDateTime.parse("2024-12-02T00:00:00Z");
        for (int month = 0; month < 24; month++) {
            Map<String, Object> attributes = new HashMap<>();
            for (int i = 0; i < 20; i++) {
                attributes.put("a" + i, 100 * month + i);
            }
            journal.record(id, attributes, begin.plusMonths(month).toInstant());
        }
        List<String> partitions = new ArrayList<>();
        CqlTemplate counting = new CqlTemplate(session) {
            @Override
            protected Statement<?> applyStatementSettings(Statement<?> statement) {
                BoundStatement bound = (BoundStatement) statement;
                partitions.add(bound.getPreparedStatement()
                                .getVariableDefinitions()
                                .get(0)
                                .getTable()
                                .asInternal()
                        + bound.getRoutingKey());
                return super.applyStatementSettings(statement);
            }
        };
        AttributeJournal counted = journal(counting);

        assertThat(values(counted.current(id))).hasSize(20).containsEntry("a7", new BigDecimal(2307));
        assertThat(Set.copyOf(partitions)).hasSize(1);
        for (int month = 0; month < 24; month++) {
            partitions.clear();
            Instant middle = begin.plusMonths(month).plusDays(15).toInstant();
            assertThat(values(counted.asOf(id, middle)))
                    .hasSize(20)
                    .containsEntry("a7", new BigDecimal(100 * month + 7));
            assertThat(Set.copyOf(partitions)).hasSize(2);
        }
    }

    @Test
    void finishesABucketThatSomebodyBeganAndLeft() {
        journal.record(id, Map.of("name", "June"), JUNE);
        String life = session.execute(
                        "SELECT generation FROM surewrite_journal_state WHERE entity = ? AND kind = '!' AND name = 'life'",
                        id)
                .one()
                .getString(0);
        session.execute(
                "UPDATE surewrite_journal_state SET at = 1 WHERE entity = ? AND kind = ? AND name = '2026-08' IF at = null",
                id,
                "b" + life.substring(1));

        assertThat(values(journal(new CqlTemplate(session)).asOf(id, AUGUST))).isEqualTo(Map.of("name", "June"));
        journal.record(id, Map.of("city", "Bonn"), AUGUST);
        assertThat(values(journal.asOf(id, AUGUST))).isEqualTo(Map.of("name", "June", "city", "Bonn"));
    }

    @Test
    void refusesWhatItCannotKeep() {
        refused(() -> journal.record("", Map.of("name", "Ann"), JUNE), "id of an entity");
        refused(() -> journal.record(id, Map.of("", "Ann"), JUNE), "name of an attribute");
        refused(() -> journal.record(id, Map.of("name", "Ann"), NOW.plusSeconds(2)), "in the future");
        refused(() -> journal.record(id, Map.of("name", "Ann"), Instant.EPOCH), "before 1970");
        refused(() -> journal.record(id, Map.of("name", "x".repeat(24_000)), JUNE), "24000 are the most");
        refused(() -> journal.record(id, Map.of("name", "ä".repeat(12_000)), JUNE), "24000 are the most");
        refused(() -> journal.record(id, Map.of("name", List.of()), JUNE), "has no type in the journal");
        refused(() -> journal.record(id, Map.of("ratio", Double.NaN), JUNE), "no exact value");
        refused(() -> journal.history(id, "name", null, 0), "between 1 and 10000");
        Map<String, Object> many = new HashMap<>();
        for (int i = 0; i <= 500; i++) {
            many.put("a" + i, i);
        }
        refused(() -> journal.record(id, many, JUNE), "501 attributes take");
        assertThat(journal.current(id).attributes()).isEmpty();
    }

    /** The server refuses batches over 50 KiB. */
    @Test
    void keepsAsMuchInOneCallAsItSays() {
        Map<String, Object> many = new HashMap<>();
        for (int i = 100; i < 310; i++) {
            many.put("a" + i, "12345");
        }
        journal.record(id, many, JUNE);
        journal.record(id, Map.of("long", "x".repeat(23_890)), AUGUST);

        assertThat(journal.current(id).attributes()).hasSize(211);
    }

    @Test
    void carriesALateEntryIntoABucketThatBeganMeanwhile() {
        Instant may = Instant.parse("2026-05-10T08:00:00Z");
        journal.record(id, Map.of("city", "Bonn"), may);
        journal.record(id, Map.of("name", "Ann"), JUNE);
        AtomicBoolean first = new AtomicBoolean(true);
        CqlTemplate slow = new CqlTemplate(session) {
            @Override
            public ResultSet queryForResultSet(Statement<?> statement) {
                boolean carries =
                        statement instanceof BatchStatement batch && batch.getBatchType() == BatchType.UNLOGGED;
                if (carries && first.getAndSet(false)) {
                    journal.record(id, Map.of("name", "Eve"), AUGUST);
                }
                return super.queryForResultSet(statement);
            }
        };

        journal(slow).record(id, Map.of("city", "Ulm"), may.plusSeconds(60));

        assertThat(first).isFalse();
        assertThat(values(journal.asOf(id, AUGUST))).isEqualTo(Map.of("name", "Eve", "city", "Ulm"));
        assertThat(values(journal.current(id))).isEqualTo(Map.of("name", "Eve", "city", "Ulm"));
    }

    @Test
    void isNotKeptForLaterEitherWhenItsBucketCouldNotBeListed() {
        SentWrites sent = new SentWrites((operation, decided, statement) -> new CompletableFuture<>());
        RuntimeException lost = new IllegalStateException("lost");
        AttributeJournal deaf = JournalOn.session(session)
                .writes(none -> (write, timeout) -> {
                    throw lost;
                })
                .create();
        WriteScope scope = new WriteScope(1_000_000, true, true, null, sent);
        assertThatIllegalStateException()
                .isThrownBy(() -> scope.call(() -> {
                    deaf.record(id, Map.of("name", "Ann"), JUNE);
                    return id;
                }))
                .isSameAs(lost);

        assertThatIllegalStateException().isThrownBy(() -> sent.keep("op", 1)).withMessageContaining("journal");
    }

    private static AttributeJournal journal(CqlTemplate operations) {
        return JournalOn.session(session)
                .operations(operations)
                .clock(Clock.fixed(NOW, ZoneOffset.UTC))
                .create();
    }

    private static Map<String, Object> values(EntityState state) {
        Map<String, Object> values = new HashMap<>();
        state.attributes()
                .forEach((name, entry) -> values.put(name, entry.value().value()));
        return values;
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String reason) {
        assertThatExceptionOfType(JournalException.class).isThrownBy(call).withMessageContaining(reason);
    }
}
