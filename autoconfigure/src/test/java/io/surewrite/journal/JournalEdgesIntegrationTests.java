package io.surewrite.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.journal.AttributeJournal.EntityState;
import io.surewrite.journal.AttributeJournal.JournalEntry;
import io.surewrite.test.CassandraTest;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteOutcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.cassandra.core.cql.CqlTemplate;

/** Wide months, many months, the ends of time, and emptied tables. */
@ExtendWith(OutputCaptureExtension.class)
class JournalEdgesIntegrationTests extends CassandraTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant OCTOBER = Instant.parse("2026-10-10T08:00:00Z");
    private static final Instant NOVEMBER = Instant.parse("2026-11-10T08:00:00Z");

    private final String id = UUID.randomUUID().toString();
    private final AttributeJournal journal = on().create();

    @BeforeAll
    static void createTables() {
        application()
                .withPropertyValues("surewrite.journal.enabled=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** Whatever the entity has more than a thousand of. */
    @Test
    void readsNoMoreThanAThousandRowsInARequest() {
        int each = 220;
        int calls = 5;
        for (int call = 0; call < calls; call++) {
            Map<String, Object> attributes = new HashMap<>();
            for (int a = 0; a < each; a++) {
                attributes.put("a" + (call * each + a), a);
            }
            journal.record(id, attributes, OCTOBER.plusSeconds(call));
        }
        AtomicInteger most = new AtomicInteger();
        AttributeJournal watched = on().operations(new CqlTemplate(session) {
                    @Override
                    public ResultSet queryForResultSet(Statement<?> statement) {
                        ResultSet answer = super.queryForResultSet(statement);
                        most.accumulateAndGet(answer.getAvailableWithoutFetching(), Math::max);
                        return answer;
                    }
                })
                .create();

        assertThat(watched.current(id).attributes()).hasSize(calls * each);
        assertThat(watched.asOf(id, OCTOBER.plusSeconds(calls)).attributes()).hasSize(calls * each);
        assertThat(most).hasValue(1_000);
    }

    /** Buckets get shorter while several writers write in any order, late and twice. */
    @Test
    void agreesWithASimpleModelWhileBucketsGetShorter() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Instant begin = Instant.parse("2026-05-01T00:00:00Z");
        List<JournalEntry> entries = new ArrayList<>();
        Map<String, NavigableMap<Instant, Integer>> model = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            Instant at = begin.plusSeconds(random.nextInt(200 * 24 * 3600));
            entries.add(new JournalEntry("a" + random.nextInt(3), AttributeValue.of(i), at));
            model.computeIfAbsent(entries.get(i).attribute(), name -> new TreeMap<>())
                    .put(at, i);
        }
        entries.sort((a, b) -> a.at().compareTo(b.at()));
        for (int i = 0; i < 5; i++) { // mostly in order, as life is
            Collections.swap(entries, random.nextInt(100), random.nextInt(100));
            Collections.swap(entries, 20 * i, 20 * i + 10);
        }
        AttributeJournal narrow = on().widest(5).create();
        for (int i = 0; i < 6; i++) {
            entries.add(new JournalEntry("wide", AttributeValue.of(i), begin.plusSeconds(i)));
            narrow.record(id, Map.of("wide", i), begin.plusSeconds(i));
            model.computeIfAbsent("wide", name -> new TreeMap<>()).put(begin.plusSeconds(i), i);
        }
        Instant june = Instant.parse("2026-06-01T08:00:00Z");
        narrow.record(id, Map.of("wide", 6), june);
        model.get("wide").put(june, 6);
        AtomicInteger next = new AtomicInteger();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
            AttributeJournal own = on().widest(5).create();
            writers.add(CompletableFuture.runAsync(() -> {
                for (int i = next.getAndIncrement(); i < entries.size(); i = next.getAndIncrement()) {
                    JournalEntry entry = entries.get(i);
                    own.record(id, Map.of(entry.attribute(), entry.value()), entry.at());
                }
            }));
        }
        writers.forEach(CompletableFuture::join);

        assertThat(bucketsOf(id)).as("seed %d", seed).contains("2026-06-01");
        for (int i = 0; i < 30; i++) {
            assertAsOf(journal, model, begin.plusSeconds(random.nextInt(200 * 24 * 3600)), "seed " + seed);
        }
        model.forEach((name, values) -> {
            assertThat(journal.current(id).attributes().get(name).at())
                    .as("seed %d", seed)
                    .isEqualTo(values.lastKey());
            assertThat(page(journal, name, 1 + random.nextInt(7)))
                    .as("%s, seed %d", name, seed)
                    .containsExactlyElementsOf(values.descendingKeySet());
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2262-04-12T00:00:00Z",
                "9999-12-31T23:59:59.999999999Z",
                "+10000-01-01T00:00:00Z",
                "+294247-01-10T04:00:55Z",
                "+1000000000-12-31T23:59:59.999999999Z"
            })
    void readsAtTheEndOfTime(Instant end) {
        journal.record(id, Map.of("name", "Ann"), OCTOBER);
        journal.record(id, Map.of("name", "Eve"), NOVEMBER);

        assertThat(values(journal.asOf(id, end))).isEqualTo(Map.of("name", "Eve"));
        assertThat(journal.history(id, "name", end, 10)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1000000000-01-01T00:00:00Z", "1969-12-31T23:59:59.9999999Z", "1970-01-01T00:00:00Z"})
    void readsAtTheBeginningOfTime(Instant begin) {
        journal.record(id, Map.of("name", "Ann"), OCTOBER);

        assertThat(journal.asOf(id, begin).attributes()).isEmpty();
        assertThat(journal.history(id, "name", begin, 10)).isEmpty();
    }

    @Test
    void doesNotTryForEverWhatOthersAlwaysDoFirst() {
        AttributeJournal unlucky = on().writes(writes ->
                        (write, timeout) -> CompletableFuture.completedFuture(new WriteOutcome.Rejected(null)))
                .create();

        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> unlucky.record(id, Map.of("name", "Ann"), NOVEMBER))
                .withMessageContaining("Call it again");
        journal.record(id, Map.of("name", "Ann"), NOVEMBER);
        assertThatExceptionOfType(UnknownOutcomeException.class).isThrownBy(() -> unlucky.forget(id));
        assertThat(values(journal.current(id))).isEqualTo(Map.of("name", "Ann"));
    }

    @Test
    void letsEntriesGoAtTheirTime() {
        Duration day = Duration.ofDays(1);
        AttributeJournal brief = on().timeToLive(Duration.ofDays(40)).create();
        brief.record(id, Map.of("name", "Ann"), NOW.minus(Duration.ofDays(39)));
        brief.record(id, Map.of("name", "Eve"), NOW.minus(day));
        brief.record(id, Map.of("city", "Bonn"), NOW.minus(Duration.ofDays(35)));

        Map<String, Integer> left = new HashMap<>();
        for (Row row : session.execute(
                        "SELECT bucket, value, TTL(value) AS seconds FROM surewrite_journal WHERE entity = ? ALLOW FILTERING",
                        id)
                .all()) {
            left.put(row.getString("bucket").replaceAll(".*/", "") + " " + row.getString("value"), row.getInt(2));
        }
        assertThat(left)
                .containsOnlyKeys(
                        "2026-10 t:Ann", "2026-10 t:Bonn", "2026-11 t:Ann", "2026-11 t:Bonn", "2026-11 t:Eve");
        Map<String, Integer> days = Map.of("t:Ann", 1, "t:Bonn", 5, "t:Eve", 39);
        left.forEach((entry, seconds) -> {
            long most = day.multipliedBy(days.get(entry.substring(entry.indexOf(" ") + 1)))
                    .toSeconds();
            assertThat((long) seconds).as(entry).isBetween(most - 600, most);
        });
        assertThat(session.execute(
                                "SELECT TTL(value) FROM surewrite_journal_state WHERE entity = ? AND kind > '!' AND kind < 'b'",
                                id)
                        .all())
                .hasSize(2)
                .allMatch(row -> row.getInt(0) > 0);
        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> brief.record(id, Map.of("name", "Ida"), NOW.minus(Duration.ofDays(40))))
                .withMessageContaining("surewrite.journal.time-to-live");
        assertThat(values(brief.current(id))).isEqualTo(Map.of("name", "Eve", "city", "Bonn"));
    }

    private JournalOn on() {
        return JournalOn.session(session).clock(Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private void assertAsOf(
            AttributeJournal journal, Map<String, NavigableMap<Instant, Integer>> model, Instant at, String note) {
        Map<String, String> expected = new HashMap<>();
        model.forEach((name, values) -> {
            if (values.floorEntry(at) != null) {
                expected.put(name, values.floorEntry(at).getValue().toString());
            }
        });
        assertThat(values(journal.asOf(id, at))).as("at %s %s", at, note).isEqualTo(expected);
    }

    private List<Instant> page(AttributeJournal journal, String attribute, int size) {
        List<Instant> all = new ArrayList<>();
        List<JournalEntry> page;
        do {
            page = journal.history(id, attribute, all.isEmpty() ? null : all.get(all.size() - 1), size);
            page.forEach(entry -> all.add(entry.at()));
        } while (page.size() == size);
        return all;
    }

    private static List<String> bucketsOf(String entity) {
        return session
                .execute("SELECT bucket FROM surewrite_journal WHERE entity = ? ALLOW FILTERING", entity)
                .all()
                .stream()
                .map(row -> row.getString("bucket").replaceAll(".*/", ""))
                .distinct()
                .sorted()
                .toList();
    }

    private static Map<String, String> values(EntityState state) {
        Map<String, String> values = new HashMap<>();
        state.attributes()
                .forEach((name, entry) ->
                        values.put(name, String.valueOf(entry.value().value())));
        return values;
    }
}
