package io.surewrite.cql.analysis;

import io.surewrite.cql.analysis.CqlToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Cuts CQL, as it is sent or as it stands in {@code @Query}, into tokens: where Cassandra's own lexer and Spring Data's
 * search for placeholders cut it.
 */
final class CqlTokenizer {

    private static final Pattern PLACEHOLDER_START = Pattern.compile("[?:][#$]\\{");
    private static final Pattern PARAMETER_PATH =
            Pattern.compile("[?:]#\\{(#[A-Za-z]\\w*+|\\[\\d++])(\\.[A-Za-z]\\w*+){0,20}+}");

    private static final List<Kind> KINDS = List.of(Kind.MARKER, Kind.LITERAL, Kind.NUMBER, Kind.WORD, Kind.SYMBOL);

    /** A group for each of the kinds. Each takes as much as it can; the first that fits is taken. */
    private static final Pattern TOKEN = Pattern.compile(
            // No marker has the name of a constant: in {a:NULL} the colon stands for itself.
            "(\\?\\d*+|:(?!(?i:null|true|false|nan|infinity)(?!\\w))[A-Za-z]\\w*+)"
                    + "|(\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}" // a uuid
                    + "|(?:\\d++(?i:mo|ms|us|\u00b5s|ns|[ywdhms])){1,12}+" // a duration, and in other forms
                    + "|(?>P\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d|P\\d++W"
                    + "|P(?=[\\dT])(?:\\d++Y)?+(?:\\d++M)?+(?:\\d++D)?+"
                    + "(?:T(?=\\d)(?:\\d++H)?+(?:\\d++M)?+(?:\\d++S)?+)?+)(?![\\p{L}\\p{Nd}_])"
                    + "|0[xX]\\p{XDigit}*+)" // a blob
                    + "|(\\d++(?:\\.\\d*+)?+(?:[eE][+-]?\\d++)?+)"
                    + "|([A-Za-z]\\w*+)"
                    + "|([+\\-<>!]=|[()\\[\\]{},;.:=<>+*%/-])");

    private final String text;
    private final Matcher token;
    private final Matcher placeholder;
    private final List<CqlToken> tokens = new ArrayList<>();
    private @Nullable CqlToken misread;
    private int at;

    /**
     * A text in pieces.
     *
     * @param tokens the last one of kind {@code END}: the end of the text, or what is no CQL, as a string without its end
     * @param misread the first place where Cassandra or Spring Data may cut otherwise, if there is one
     */
    record Tokens(List<CqlToken> tokens, @Nullable CqlToken misread) {}

    private CqlTokenizer(String text) {
        this.text = text;
        this.token = TOKEN.matcher(text);
        this.placeholder = PLACEHOLDER_START.matcher(text);
    }

    static Tokens read(String text) {
        CqlTokenizer tokenizer = new CqlTokenizer(text);
        while (tokenizer.at < text.length() && tokenizer.readNext()) {
            // goes on
        }
        tokenizer.tokens.add(new CqlToken(Kind.END, "end of statement", tokenizer.at, tokenizer.at));
        return new Tokens(tokenizer.tokens, tokenizer.misread);
    }

    /**
     * The tokens of a text that can be cut in one way only.
     *
     * @throws RefusedException where it cannot
     */
    static List<CqlToken> tokenize(String text) {
        Tokens read = read(text);
        if (read.misread() != null) {
            throw new RefusedException(RefusalReason.NOT_UNDERSTOOD, read.misread());
        }
        return read.tokens();
    }

    /** Reads a token, blanks or a comment, unless it is none of these. */
    private boolean readNext() {
        if (placeholder.region(at, text.length()).lookingAt()) {
            return readPlaceholder();
        }
        if (text.startsWith("--", at) || text.startsWith("//", at)) {
            return skip(endOfLine());
        }
        if (text.startsWith("/*", at)) {
            return skip(endOf("/*", "*/"));
        }
        char first = text.charAt(at);
        return switch (first) {
            case ' ', '\t', '\r', '\n' -> skip(at + 1);
            case '\'' -> add(Kind.STRING, quoted(first));
            case '"' -> add(Kind.QUOTED_NAME, quoted(first));
            case '$' -> add(Kind.STRING, endOf("$$", "$$"));
            default -> readByPattern();
        };
    }

    private boolean readByPattern() {
        if (!token.region(at, text.length()).lookingAt()) {
            return add(Kind.SYMBOL, -1);
        }
        int group = 1;
        while (token.start(group) < 0) {
            group++;
        }
        Kind kind = KINDS.get(group - 1);
        int end = token.end();
        if (group <= 3 && end < text.length() && runsOn(text.charAt(end))) { // as 12ab: Cassandra may cut it so, too
            misread(at, at + 1);
        }
        return add(kind, end);
    }

    private static boolean runsOn(char next) {
        return Character.isLetterOrDigit(next) || next == '_';
    }

    private int endOf(String start, String end) {
        int found = text.startsWith(start, at) ? text.indexOf(end, at + start.length()) : -1;
        return found < 0 ? -1 : found + end.length();
    }

    private int endOfLine() {
        int end = at;
        while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
            end++;
        }
        return end;
    }

    /** Where quotes end: a doubled one stands for itself. */
    private int quoted(char quote) {
        int end = text.indexOf(quote, at + 1);
        while (end >= 0 && end + 1 < text.length() && text.charAt(end + 1) == quote) {
            end = text.indexOf(quote, end + 2);
        }
        return end < 0 ? -1 : end + 1;
    }

    private boolean add(Kind kind, int end) {
        int start = at;
        if (!skip(end)) {
            return false;
        }
        tokens.add(new CqlToken(kind, content(text.substring(start, end)), start, end));
        return true;
    }

    private boolean skip(int end) {
        if (end < 0) {
            misread(at, at + 1);
            return false;
        }
        // Spring Data looks for placeholders in strings and comments too, and would swallow their end.
        if (placeholder.region(at, end).find()) {
            misread(placeholder.start(), placeholder.end());
        }
        at = end;
        return true;
    }

    /** Spring Data counts braces and knows no quotes inside a placeholder: so do we. */
    private boolean readPlaceholder() {
        int start = at;
        int end = at + 3;
        for (int depth = 1; depth > 0; end++) {
            if (end == text.length()) {
                misread(start, start + 3);
                return false;
            }
            depth += text.charAt(end) == '{' ? 1 : text.charAt(end) == '}' ? -1 : 0;
        }
        String found = text.substring(start, end);
        boolean parameter = PARAMETER_PATH.matcher(found).matches();
        tokens.add(new CqlToken(parameter ? Kind.MARKER : Kind.EXPRESSION, found, start, end));
        at = end;
        return true;
    }

    private void misread(int start, int end) {
        if (misread == null) {
            misread = new CqlToken(Kind.SYMBOL, text.substring(start, end), start, end);
        }
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
}
