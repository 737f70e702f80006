package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds query methods that would write past the guard. It looks at words only, and rather refuses too much: a statement
 * that names a constrained column anywhere counts as touching it.
 *
 * @param constrained the columns
 */
record ConstrainedQueries(Set<CqlIdentifier> constrained) {

    /** A name, or a comment or a text, of which no part is a name. */
    private static final Pattern WORD = Pattern.compile(
            "--[^\\n\\r]*+|//[^\\n\\r]*+|/\\*.*?\\*/|'([^']|'')*+'|\\$\\$.*?\\$\\$|\"(?<quoted>([^\"]|\"\")++)\"|(?<plain>\\w++)",
            Pattern.DOTALL);

    private static final Set<String> WRITES = Set.of("insert", "update", "delete", "truncate", "begin");

    /** Why the method must not be called, or null if it does no harm. */
    @Nullable
    String harm(PlannedRepository repository, Method method) {
        String cql = repository.statement(method);
        if (cql != null) {
            return harm(cql);
        }
        return repository.isDerivedDelete(method)
                ? "deletes rows by its name, without looking at them, which leaves their claims"
                : null;
    }

    @Nullable
    String harm(String cql) {
        List<String> words = words(cql);
        if (words.isEmpty() || !WRITES.contains(words.get(0))) {
            return null;
        }
        for (CqlIdentifier column : constrained) {
            if (words.contains(column.asInternal())) {
                return "writes, and names the constrained column %s, past the guard".formatted(column.asCql(true));
            }
        }
        if (deletesRows(words)) {
            return "deletes rows, which leaves their claims";
        }
        return words.contains("json") ? "writes by JSON, where nobody sees the columns" : null;
    }

    /** Otherwise DELETE is followed by the columns that it empties. */
    private static boolean deletesRows(List<String> words) {
        return words.get(0).equals("truncate") || Collections.indexOfSubList(words, List.of("delete", "from")) >= 0;
    }

    /** Names as the database takes them: in lower case unless they are quoted. */
    private static List<String> words(String cql) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(cql);
        while (matcher.find()) {
            String quoted = matcher.group("quoted");
            if (quoted != null) {
                words.add(quoted.replace("\"\"", "\""));
            } else if (matcher.group("plain") != null) {
                words.add(matcher.group().toLowerCase(Locale.ROOT));
            }
        }
        return words;
    }
}
