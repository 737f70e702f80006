package io.surewrite.internal.cql;

import io.surewrite.internal.cql.CqlToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Cuts CQL into tokens where Cassandra's own lexer and Spring Data's search for placeholders cut it. */
final class CqlTokenizer {

    private static final Pattern PLACEHOLDER_START = Pattern.compile("[?:][#$]\\{");
    private static final Pattern PARAMETER_PATH =
            Pattern.compile("[?:]#\\{(#[A-Za-z]\\w*+|\\[\\d++])(\\.[A-Za-z]\\w*+){0,20}+}");

    /** What the groups of the pattern are, after the first. */
    private static final List<Kind> KINDS =
            List.of(Kind.STRING, Kind.QUOTED_NAME, Kind.MARKER, Kind.LITERAL, Kind.NUMBER, Kind.WORD, Kind.SYMBOL);

    private static final Set<Kind> VALUES = Set.of(Kind.MARKER, Kind.LITERAL, Kind.NUMBER);

    /** Each group takes as much as it can; the first that fits is taken. */
    private static final Pattern TOKEN = Pattern.compile(
            "([ \t\r\n]++|(?:--|//)[^\r\n]*+|/\\*.*?\\*/)"
                    + "|('(?:[^']|'')*+'|\\$\\$.*?\\$\\$)"
                    + "|(\"(?:[^\"]|\"\")*+\")"
                    // No marker has the name of a constant: in {a:NULL} the colon stands for itself.
                    + "|(\\?\\d*+|:(?!(?i:null|true|false|nan|infinity)(?!\\w))[A-Za-z]\\w*+)"
                    + "|(\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}" // a uuid
                    + "|(?:\\d++(?i:mo|ms|us|\u00b5s|ns|[ywdhms])){1,12}+" // a duration, and in other forms
                    + "|(?>P\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d|P\\d++W"
                    + "|P(?=[\\dT])(?:\\d++Y)?+(?:\\d++M)?+(?:\\d++D)?+"
                    + "(?:T(?=\\d)(?:\\d++H)?+(?:\\d++M)?+(?:\\d++S)?+)?+)(?![\\p{L}\\p{Nd}_])"
                    + "|0[xX]\\p{XDigit}*+)" // a blob
                    + "|(\\d++(?:\\.\\d*+)?+(?:[eE][+-]?\\d++)?+)"
                    + "|([A-Za-z]\\w*+)"
                    + "|([+\\-<>!]=|[()\\[\\]{},;.:=<>+*%-]|/(?!\\*))",
            Pattern.DOTALL);

    private final String text;
    private final Matcher token;
    private final Matcher placeholder;
    private int at;

    /** The last one is of kind {@code END}: the end of the text, or what is no CQL, as a string without its end. */
    final List<CqlToken> tokens = new ArrayList<>();

    /** The first place where Cassandra or Spring Data may cut otherwise, if there is one. */
    @Nullable
    CqlToken misread;

    CqlTokenizer(String text) {
        this.text = text;
        this.token = TOKEN.matcher(text);
        this.placeholder = PLACEHOLDER_START.matcher(text);
        boolean more = !text.isEmpty();
        while (more) {
            more = readNext() && at < text.length();
        }
        tokens.add(new CqlToken(Kind.END, "end of statement", at, at));
    }

    /** Reads what comes next; false if that is no CQL. */
    private boolean readNext() {
        if (placeholder.region(at, text.length()).lookingAt()) {
            return readPlaceholder();
        }
        if (!token.region(at, text.length()).lookingAt()) {
            return misread(at, at + 1);
        }
        int group = 1;
        while (token.start(group) < 0) {
            group++;
        }
        int end = token.end();
        if (placeholder.region(at, end).find()) {
            // Spring Data looks for them in strings and comments too, and would swallow their end.
            misread(placeholder.start(), placeholder.end());
        }
        if (group > 1) {
            Kind kind = KINDS.get(group - 2);
            if (VALUES.contains(kind) && end < text.length() && Character.isUnicodeIdentifierPart(text.charAt(end))) {
                misread(at, at + 1); // it runs into a word, as 12ab does
            }
            tokens.add(new CqlToken(kind, content(token.group()), at, end));
        }
        at = end;
        return true;
    }

    /** Spring Data counts braces and knows no quotes inside a placeholder: so do we. */
    private boolean readPlaceholder() {
        int start = at;
        at += 3;
        for (int depth = 1; depth > 0; at++) {
            if (at == text.length()) {
                at = start;
                return misread(start, start + 3);
            }
            depth += text.charAt(at) == '{' ? 1 : text.charAt(at) == '}' ? -1 : 0;
        }
        String found = text.substring(start, at);
        boolean parameter = PARAMETER_PATH.matcher(found).matches();
        tokens.add(new CqlToken(parameter ? Kind.MARKER : Kind.EXPRESSION, found, start, at));
        return true;
    }

    private static String content(String found) {
        int last = found.length() - 1;
        return switch (found.charAt(0)) {
            case '\'' -> found.substring(1, last).replace("''", "'");
            case '"' -> found.substring(1, last).replace("\"\"", "\"");
            case '$' -> found.substring(2, last - 1);
            default -> found;
        };
    }

    private boolean misread(int start, int end) {
        if (misread == null) {
            misread = new CqlToken(Kind.SYMBOL, text.substring(start, end), start, end);
        }
        return false;
    }
}
