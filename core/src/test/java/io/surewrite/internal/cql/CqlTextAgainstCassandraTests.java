package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.testsupport.LongLane;
import io.surewrite.write.WriteScope;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whether a text says to us what it says to Cassandra's own parser: each statement of the corpus, changed at each of its
 * tokens by comments, blanks or none, literals, quotes and capitals. {@code -Dsurewrite.seed=...} repeats a search.
 */
@LongLane // It runs Cassandra's own parser, in a process of its own.
class CqlTextAgainstCassandraTests {

    private static final long SEED = Long.getLong("surewrite.seed", System.nanoTime());

    /** Of one boundary between tokens: five in a hurry, thirty where there is time. */
    private static final int CHANGES = Math.min(30, Integer.getInteger("surewrite.statements", 360) / 12);

    private static final String STATEMENTS = "org.apache.cassandra.cql3.statements.";
    private static final CqlIdentifier HERE = CqlIdentifier.fromInternal("here");
    private static final WriteScope SCOPE = WriteScope.at(7);

    private static final List<String> GAPS = List.of(
            "",
            "",
            "",
            " ",
            "\t\r\n",
            "/**/",
            "/* if */",
            "/* it's */",
            "/*/ SELECT */",
            "/* BEGIN BATCH */ ",
            "-- if\n",
            "--\" \r",
            "// $$ using timestamp 5\n",
            " /* -- */\t");
    private static final List<String> STRINGS = List.of(
            "'if'",
            "'rerun if failed'",
            "'it''s -- if'",
            "'/* '",
            "' */ using timestamp 1 '",
            "'where k in (1, 2)'",
            "'a :#{ b'",
            "$$ if 'in' $$",
            "$$$$");
    private static final List<String> NAMES =
            List.of("\"if\"", "\"In\"", "\"using timestamp\"", "\"a \"\" if\"", "timestamp", "ttl", "json", "Key");
    private static final List<String> MARKERS =
            List.of("?", ":a", ":timestamp", ":\"if\"", ": timestamp", ": /* in */ json");
    private static final List<String> VALUES = List.of("1", "0", "1.5e3", "0xab", "5d", "P1D", "true");

    /** What decides how a statement is sent, and what its failure means. */
    private record Facts(
            boolean reads, boolean conditional, boolean drawsTimestamp, boolean several, Set<String> tables) {}

    @Test
    void saysTheSameToBoth() throws IOException, ReflectiveOperationException {
        int read = 0;
        int conditional = 0;
        int rows = 0;
        try (CassandraParser cassandra = new CassandraParser("5.0.9")) {
            for (String cql : changed(new Random(SEED), CHANGES)) {
                Object parsed = cassandra.parse(cql);
                Facts theirs = parsed == null ? null : facts(parsed);
                if (theirs != null) {
                    assertThat(facts(cql)).as("seed %d: %s", SEED, cql).isEqualTo(theirs);
                    var verdict = new IdempotenceCheck(false).check(cql, new TestSchema());
                    assertThat(theirs.conditional() && verdict.refusals().isEmpty())
                            .as("seed %d: %s", SEED, cql)
                            .isFalse();
                    checkScope(cql, theirs);
                    rows += checkRows(cql, parsed) ? 1 : 0;
                    read++;
                    conditional += theirs.conditional() ? 1 : 0;
                }
            }
        }
        System.out.println("Cassandra reads " + read + " changed statements, " + conditional + " with a condition, "
                + rows + " that tell their columns");
        assertThat(conditional).isGreaterThan(1_000);
        assertThat(read).isGreaterThan(10 * conditional);
        assertThat(rows).isGreaterThan(read / 2);
    }

    /** Statements of the corpus, each changed so often at each of its tokens. */
    private static List<String> changed(Random random, int changes) {
        List<String> changed = new ArrayList<>();
        for (Corpus.Entry entry : Corpus.entries()) {
            List<CqlToken> tokens = new CqlTokenizer(entry.cql()).tokens;
            for (int at = 0; at < tokens.size(); at++) {
                for (int i = 0; i < changes; i++) {
                    changed.add(changed(random, entry.cql(), tokens, at));
                }
            }
        }
        return changed;
    }

    /** Changes the gap before a token, and often the token itself. */
    private static String changed(Random random, String cql, List<CqlToken> tokens, int at) {
        CqlToken token = tokens.get(at);
        String before = cql.substring(0, at == 0 ? 0 : tokens.get(at - 1).end());
        String text = cql.substring(token.start(), token.end());
        String changed = switch (token.kind()) {
            case STRING -> any(random, STRINGS, text);
            case WORD -> random.nextBoolean() ? recased(random, text) : any(random, NAMES, text);
            case QUOTED_NAME -> any(random, NAMES, text);
            case MARKER -> any(random, MARKERS, text);
            case NUMBER, LITERAL -> any(random, VALUES, text);
            default -> text;
        };
        return before + any(random, GAPS, " ") + changed + any(random, GAPS, "") + cql.substring(token.end());
    }

    private static String any(Random random, List<String> of, String otherwise) {
        return random.nextInt(3) == 0 ? otherwise : of.get(random.nextInt(of.size()));
    }

    private static String recased(Random random, String word) {
        return random.nextBoolean() ? word.toUpperCase(Locale.ROOT) : word.toLowerCase(Locale.ROOT);
    }

    /** One timestamp where there is no condition, on a statement and on a batch of it. */
    private static void checkScope(String cql, Facts facts) {
        SimpleStatement statement = SimpleStatement.newInstance(cql);
        long expected = facts.conditional() ? Statement.NO_DEFAULT_TIMESTAMP : 7;
        assertThat(SCOPE.applyTo(statement).getQueryTimestamp()).isEqualTo(expected);
        assertThat(SCOPE.applyTo(BatchStatement.newInstance(BatchType.LOGGED, statement))
                        .getQueryTimestamp())
                .isEqualTo(expected);
    }

    /** The table and the columns that are written, where it is one statement that writes and says which. */
    private static boolean checkRows(String cql, Object parsed) throws ReflectiveOperationException {
        RowText rows = CqlText.of(cql).rows();
        List<?> columns = switch (parsed.getClass().getName().replace(STATEMENTS, "")) {
            case "UpdateStatement$ParsedInsert" -> (List<?>) get(parsed, "columnNames");
            case "UpdateStatement$ParsedUpdate" -> lefts((List<?>) get(parsed, "updates"));
            case "DeleteStatement$Parsed" -> affected((List<?>) get(parsed, "deletions"));
            default -> null;
        };
        boolean misread =
                new CqlTokenizer(cql).misread != null; // by Spring Data, who looks for placeholders in literals
        if (columns == null || misread) {
            assertThat(rows).as("seed %d: %s", SEED, cql).isNull();
            return false;
        }
        assertThat(rows).as("seed %d: %s", SEED, cql).isNotNull();
        assertThat(rows.values().keySet().stream().map(CqlIdentifier::asInternal))
                .as("seed %d: %s", SEED, cql)
                .containsExactlyInAnyOrderElementsOf(
                        columns.stream().map(String::valueOf).distinct().toList());
        return true;
    }

    private static List<Object> lefts(List<?> pairs) throws ReflectiveOperationException {
        List<Object> lefts = new ArrayList<>();
        for (Object pair : pairs) {
            lefts.add(get(pair, "left"));
        }
        return lefts;
    }

    private static List<Object> affected(List<?> deletions) throws ReflectiveOperationException {
        List<Object> affected = new ArrayList<>();
        for (Object deletion : deletions) {
            Method column = deletion.getClass().getMethod("affectedColumn");
            column.setAccessible(true);
            affected.add(column.invoke(deletion));
        }
        return affected;
    }

    private static Facts facts(String cql) {
        CqlText text = CqlText.of(cql);
        SimpleStatement statement = SimpleStatement.newInstance(cql);
        return new Facts(
                CqlText.isRead(statement),
                CqlText.mayBeConditional(statement),
                CqlText.drawsTimestamp(statement),
                CqlText.mayWriteSeveralPartitions(statement),
                text.tables(HERE).stream().map(CqlText.Name::toString).collect(Collectors.toSet()));
    }

    // ---- Cassandra's statements ----

    private static @Nullable Facts facts(Object parsed) throws ReflectiveOperationException {
        String type = parsed.getClass().getName().replace(STATEMENTS, "");
        return switch (type) {
            case "SelectStatement$RawStatement" -> new Facts(true, false, false, hasIn(parsed), Set.of(table(parsed)));
            case "BatchStatement$Parsed" -> batch(parsed);
            case "UpdateStatement$ParsedInsert", "UpdateStatement$ParsedInsertJson" -> write(parsed, false);
            case "UpdateStatement$ParsedUpdate", "DeleteStatement$Parsed" -> write(parsed, hasIn(parsed));
            default -> null;
        };
    }

    private static Facts write(Object parsed, boolean in) throws ReflectiveOperationException {
        boolean conditional = !((List<?>) get(parsed, "conditions")).isEmpty()
                || (boolean) get(parsed, "ifNotExists")
                || (boolean) get(parsed, "ifExists");
        return new Facts(false, conditional, !conditional && !isStamped(parsed), in, Set.of(table(parsed)));
    }

    private static Facts batch(Object parsed) throws ReflectiveOperationException {
        List<Facts> parts = new ArrayList<>();
        for (Object part : (List<?>) get(parsed, "parsedStatements")) {
            Facts facts = facts(part);
            assertThat(facts).isNotNull();
            parts.add(facts);
        }
        boolean conditional = parts.stream().anyMatch(Facts::conditional);
        return new Facts(
                false,
                conditional,
                !conditional && !isStamped(parsed) && parts.stream().anyMatch(Facts::drawsTimestamp),
                true,
                parts.stream().flatMap(part -> part.tables().stream()).collect(Collectors.toSet()));
    }

    private static boolean isStamped(Object parsed) throws ReflectiveOperationException {
        return find(get(parsed, "attrs"), "timestamp") != null;
    }

    private static boolean hasIn(Object parsed) throws ReflectiveOperationException {
        for (Object relation : (List<?>) get(get(parsed, "whereClause"), "relations")) {
            if (get(relation, "relationType").toString().equals("IN")) {
                return true;
            }
        }
        return false;
    }

    private static String table(Object parsed) throws ReflectiveOperationException {
        Object name = get(parsed, "qualifiedName");
        Object keyspace = find(name, "keyspace");
        return new CqlText.Name(
                        keyspace == null ? HERE : CqlIdentifier.fromInternal(keyspace.toString()),
                        CqlIdentifier.fromInternal(get(name, "name").toString()))
                .toString();
    }

    private static Object get(Object of, String field) throws ReflectiveOperationException {
        Object found = find(of, field);
        assertThat(found).as("%s of %s", field, of.getClass()).isNotNull();
        return found;
    }

    private static @Nullable Object find(Object of, String field) throws ReflectiveOperationException {
        for (Class<?> type = of.getClass(); type != null; type = type.getSuperclass()) {
            for (Field each : type.getDeclaredFields()) {
                if (each.getName().equals(field)) {
                    each.setAccessible(true);
                    return each.get(of);
                }
            }
        }
        throw new NoSuchFieldException(field);
    }
}
