package io.surewrite.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.surewrite.test.CassandraTest;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.core.cql.CqlTemplate;

class AttributeJournalIntegrationTests extends CassandraTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant JUNE = Instant.parse("2026-06-10T08:00:00Z");
    private static final Instant AUGUST = Instant.parse("2026-08-10T08:00:00Z");

    private final String id = UUID.randomUUID().toString();
    private final List<Long> closed = new ArrayList<>();
    private final AttributeJournal journal = journal(BucketLength.MONTH);

    @BeforeAll
    static void createTables() {
        application()
                .withPropertyValues("surewrite.journal.enabled=true")
                .run(context -> assertThat(context).hasSingleBean(AttributeJournal.class));
    }

    @Test
    void isAutoConfiguredWhenAskedForAndMeasured() {
        application()
                .withPropertyValues("surewrite.journal.enabled=true")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    AttributeJournal bean = context.getBean(AttributeJournal.class);
                    bean.record(id, Map.of("name", "Ann"), JUNE);
                    bean.record(id, Map.of("name", "Eve"), AUGUST);

                    assertThat(bean.current(id).value("name")).contains(new AttributeValue.Text("Eve"));
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("surewrite.journal.partition")
                                    .summary()
                                    .totalAmount())
                            .isEqualTo(1);
                });
        application().run(context -> assertThat(context).doesNotHaveBean(AttributeJournal.class));
    }

    @Test
    void remembersWhatWasWhen() {
        journal.record(id, Map.of("name", "Ann", "age", 7), JUNE);
        journal.record(id, Map.of("name", "Eve"), AUGUST);

        assertThat(values(journal.current(id))).isEqualTo(Map.of("name", "Eve", "age", new BigDecimal(7)));
        assertThat(values(journal.asOf(id, AUGUST))).isEqualTo(Map.of("name", "Eve", "age", new BigDecimal(7)));
        assertThat(values(journal.asOf(id, AUGUST.minusNanos(1000))))
                .isEqualTo(Map.of("name", "Ann", "age", new BigDecimal(7)));
        assertThat(values(journal.asOf(id, Instant.parse("2026-07-01T00:00:00Z"))))
                .isEqualTo(Map.of("name", "Ann", "age", new BigDecimal(7)));
        assertThat(values(journal.asOf(id, JUNE.minusNanos(1000)))).isEmpty();
        assertThat(journal.asOf(id, Instant.parse("2001-01-01T00:00:00Z")).attributes())
                .isEmpty();
        assertThat(closed).containsExactly(2L);
    }

    @Test
    void makesOneRowOfTenRecordings() {
        for (int i = 0; i < 10; i++) {
            journal(BucketLength.MONTH).record(id, Map.of("name", "Ann"), JUNE);
        }

        assertThat(session.execute("SELECT * FROM surewrite_journal WHERE entity = ? AND bucket = '2026-06'", id)
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

    @Test
    void pagesThroughHistoryNewestFirst() {
        for (int month = 1; month <= 9; month++) {
            for (int day = 1; day <= 3; day++) {
                Instant at = Instant.parse("2026-%02d-%02dT00:00:00Z".formatted(month, day));
                journal.record(id, Map.of("count", 10 * month + day, "other", 1), at);
            }
        }
        List<JournalEntry> all = new ArrayList<>();
        Instant before = null;
        List<JournalEntry> page;
        do {
            page = journal.history(id, "count", before, 4);
            all.addAll(page);
            before = page.isEmpty() ? before : page.get(page.size() - 1).at();
        } while (page.size() == 4);

        assertThat(all).hasSize(27).isSortedAccordingTo((a, b) -> b.at().compareTo(a.at()));
        assertThat(all).extracting(JournalEntry::at).doesNotHaveDuplicates();
    }

    /** Any order, any repetition, several writers: the journal answers as a simple map does. */
    @Test
    void agreesWithASimpleModelWhateverTheOrder() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<JournalEntry> entries = new ArrayList<>();
        Map<String, TreeMap<Instant, AttributeValue>> model = new HashMap<>();
        for (int i = 0; i < 60; i++) {
            Instant at = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(random.nextInt(300 * 24 * 3600));
            JournalEntry entry = new JournalEntry("a" + random.nextInt(3), AttributeValue.of(i), at);
            entries.add(entry);
            model.computeIfAbsent(entry.attribute(), name -> new TreeMap<>()).put(at, entry.value());
        }
        entries.addAll(entries.subList(0, 20));
        Collections.shuffle(entries, random);
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
            List<JournalEntry> mine = entries.subList(writer * 20, writer * 20 + 20);
            AttributeJournal own = journal(BucketLength.MONTH);
            writers.add(CompletableFuture.runAsync(() ->
                    mine.forEach(entry -> own.record(id, Map.of(entry.attribute(), entry.value()), entry.at()))));
        }
        writers.forEach(CompletableFuture::join);

        for (int i = 0; i < 40; i++) {
            Instant at = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(random.nextInt(320 * 24 * 3600));
            Map<String, AttributeValue> expected = new HashMap<>();
            model.forEach((name, values) -> {
                if (values.floorEntry(at) != null) {
                    expected.put(name, values.floorEntry(at).getValue());
                }
            });
            Map<String, AttributeValue> actual = new HashMap<>();
            journal.asOf(id, at).attributes().forEach((name, entry) -> actual.put(name, entry.value()));
            assertThat(actual).as("at %s, seed %d", at, seed).isEqualTo(expected);
        }
        model.forEach((name, values) -> assertThat(journal.current(id).value(name))
                .as("seed %d", seed)
                .contains(values.lastEntry().getValue()));
    }

    @Test
    void readsOnePartitionForTheCurrentStateAndTwoForAnyOther() {
        for (int month = 1; month <= 9; month++) {
            journal.record(id, Map.of("name", month), Instant.parse("2026-0" + month + "-02T00:00:00Z"));
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
        AttributeJournal counted = journal(BucketLength.MONTH, counting);

        counted.current(id);
        assertThat(Set.copyOf(partitions)).hasSize(1);
        for (int day = 1; day < 270; day += 30) {
            partitions.clear();
            counted.asOf(id, Instant.parse("2026-01-01T00:00:00Z").plus(Duration.ofDays(day)));
            assertThat(Set.copyOf(partitions)).hasSize(2);
        }
    }

    @Test
    void finishesABucketThatSomebodyBeganAndLeft() {
        journal.record(id, Map.of("name", "June"), JUNE);
        session.execute(
                "INSERT INTO surewrite_journal_state (entity, kind, name, at, value) VALUES (?, 'b', '2026-08', 1, '')"
                        + " USING TIMESTAMP 1",
                id);

        assertThat(values(journal(BucketLength.MONTH).asOf(id, AUGUST))).isEqualTo(Map.of("name", "June"));
        journal.record(id, Map.of("city", "Bonn"), AUGUST);
        assertThat(values(journal.asOf(id, AUGUST))).isEqualTo(Map.of("name", "June", "city", "Bonn"));
    }

    @Test
    void refusesWhatItCannotKeep() {
        refused(() -> journal.record("", Map.of("name", "Ann"), JUNE), "id of an entity");
        refused(() -> journal.record(id, Map.of("", "Ann"), JUNE), "name of an attribute");
        refused(() -> journal.record(id, Map.of("name", "Ann"), NOW.plusSeconds(2)), "in the future");
        refused(() -> journal.record(id, Map.of("name", "Ann"), Instant.EPOCH), "before 1970");
        refused(() -> journal.record(id, Map.of("name", "x".repeat(65_537)), JUNE), "65536 are the most");
        refused(() -> journal.record(id, Map.of("name", List.of()), JUNE), "has no type in the journal");
        refused(() -> journal.record(id, Map.of("ratio", Double.NaN), JUNE), "no exact value");
        refused(() -> journal.history(id, "name", null, 0), "between 1 and 10000");
        Map<String, Object> many = new HashMap<>();
        for (int i = 0; i <= 500; i++) {
            many.put("a" + i, i);
        }
        refused(() -> journal.record(id, many, JUNE), "501 attributes");
        assertThat(journal.current(id).attributes()).isEmpty();
    }

    @Test
    void refusesToChangeTheLengthOfBuckets() {
        journal.record(id, Map.of("name", "Ann"), JUNE);

        refused(() -> journal(BucketLength.DAY).record(id, Map.of("name", "Eve"), AUGUST), "cannot be changed");
    }

    private AttributeJournal journal(BucketLength length) {
        return journal(length, new CqlTemplate(session));
    }

    private AttributeJournal journal(BucketLength length, CqlTemplate operations) {
        return JournalFactory.create(
                session,
                operations,
                "surewrite_journal",
                "surewrite_journal_state",
                new JournalSettings(length, ConsistencyLevel.QUORUM),
                closed::add,
                Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static Map<String, Object> values(EntityState state) {
        Map<String, Object> values = new HashMap<>();
        state.attributes()
                .forEach((name, entry) -> values.put(name, entry.value().toObject()));
        return values;
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String reason) {
        assertThatExceptionOfType(JournalException.class).isThrownBy(call).withMessageContaining(reason);
    }
}
