package io.surewrite.cql.analysis;

import io.surewrite.cql.analysis.CqlToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Cuts CQL, as it stands in {@code @Query}, into tokens, exactly where Cassandra's own lexer and Spring Data's search
 * for placeholders cut it. What either of them would read in another way is refused here.
 */
final class CqlTokenizer {

    private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
    private static final Pattern BLOB = Pattern.compile("0[xX]\\p{XDigit}*+");
    private static final Pattern DURATION = Pattern.compile("(\\d++(?i:mo|ms|us|\u00b5s|ns|[ywdhms])){1,12}+"
            + "|P\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d"
            + "|P\\d++W"
            + "|P(?=[\\dT])(\\d++Y)?+(\\d++M)?+(\\d++D)?+(T(?=\\d)(\\d++H)?+(\\d++M)?+(\\d++S)?+)?+");
    private static final Pattern NUMBER = Pattern.compile("\\d++(\\.\\d*+)?+([eE][+-]?\\d++)?+");
    private static final Pattern WORD = Pattern.compile("[A-Za-z]\\w*+");
    private static final Pattern SYMBOL = Pattern.compile("[+\\-<>!]=|[()\\[\\]{},;.:=<>+*/%-]");
    private static final Pattern NUMBERED_MARKER = Pattern.compile("\\?\\d*+");
    private static final Pattern NAMED_MARKER = Pattern.compile(":[A-Za-z]\\w*+");
    private static final Pattern PLACEHOLDER_START = Pattern.compile("[?:][#$]\\{");
    private static final Pattern PARAMETER_PATH =
            Pattern.compile("[?:]#\\{(#[A-Za-z]\\w*+|\\[\\d++])(\\.[A-Za-z]\\w*+){0,20}+}");

    private final String text;
    private final List<CqlToken> tokens = new ArrayList<>();
    private int at;

    private CqlTokenizer(String text) {
        this.text = text;
    }

    /**
     * The tokens of the text, the last one of kind {@code END}.
     *
     * @throws RefusedException at what is no CQL, such as a string without its end
     */
    static List<CqlToken> tokenize(String text) {
        return new CqlTokenizer(text).run();
    }

    private List<CqlToken> run() {
        while (skipBlanksAndComments()) {
            readToken();
        }
        tokens.add(new CqlToken(Kind.END, "end of statement", at, at));
        return tokens;
    }

    private boolean skipBlanksAndComments() {
        while (at < text.length()) {
            if (" \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            } else if (text.startsWith("--", at) || text.startsWith("//", at)) {
                skipLineComment();
            } else if (text.startsWith("/*", at)) {
                skipTo("*/");
            } else {
                return true;
            }
        }
        return false;
    }

    private void skipLineComment() {
        int start = at;
        while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
            at++;
        }
        refusePlaceholderIn(start);
    }

    /** Moves behind the closing mark of what starts here with a mark of the same length. */
    private void skipTo(String close) {
        int start = at;
        int found = text.indexOf(close, at + close.length());
        if (found < 0) {
            throw refused(start, start + close.length());
        }
        at = found + close.length();
        refusePlaceholderIn(start);
    }

    private void readToken() {
        switch (text.charAt(at)) {
            case '\'' -> readQuoted(Kind.STRING, '\'');
            case '"' -> readQuoted(Kind.QUOTED_NAME, '"');
            case '$' -> readDollarString();
            case '?', ':' -> readMarker();
            default -> readPlain();
        }
    }

    private void readPlain() {
        char first = text.charAt(at);
        boolean digit = first >= '0' && first <= '9';
        boolean letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
        boolean taken = (digit || letter)
                && (take(UUID, Kind.LITERAL)
                        || ((digit || first == 'P') && take(DURATION, Kind.LITERAL))
                        || (digit && (take(BLOB, Kind.LITERAL) || take(NUMBER, Kind.NUMBER)))
                        || (letter && take(WORD, Kind.WORD)));
        if (!taken) {
            takeSymbol();
        }
    }

    private void readQuoted(Kind kind, char quote) {
        int start = at++;
        StringBuilder content = new StringBuilder();
        while (true) {
            int close = text.indexOf(quote, at);
            if (close < 0) {
                throw refused(start, start + 1);
            }
            content.append(text, at, close);
            at = close + 1;
            if (at == text.length() || text.charAt(at) != quote) {
                break;
            }
            content.append(quote);
            at++;
        }
        refusePlaceholderIn(start);
        tokens.add(new CqlToken(kind, content.toString(), start, at));
    }

    private void readDollarString() {
        int start = at;
        if (!text.startsWith("$$", at)) {
            throw refused(start, start + 1);
        }
        skipTo("$$");
        tokens.add(new CqlToken(Kind.STRING, text.substring(start + 2, at - 2), start, at));
    }

    private void readMarker() {
        if (matches(PLACEHOLDER_START) != null) {
            readPlaceholder();
        } else if (!take(NUMBERED_MARKER, Kind.MARKER) && !take(NAMED_MARKER, Kind.MARKER)) {
            takeSymbol();
        }
    }

    /** Spring Data counts braces and knows no quotes inside a placeholder: so do we. */
    private void readPlaceholder() {
        int start = at;
        at += 3;
        for (int depth = 1; depth > 0; at++) {
            if (at == text.length()) {
                throw refused(start, start + 3);
            }
            depth += text.charAt(at) == '{' ? 1 : text.charAt(at) == '}' ? -1 : 0;
        }
        String placeholder = text.substring(start, at);
        boolean parameter = PARAMETER_PATH.matcher(placeholder).matches();
        tokens.add(new CqlToken(parameter ? Kind.MARKER : Kind.EXPRESSION, placeholder, start, at));
    }

    /** Spring Data looks for placeholders in strings and comments too, and would swallow their end. */
    private void refusePlaceholderIn(int start) {
        Matcher matcher = PLACEHOLDER_START.matcher(text).region(start, at);
        if (matcher.find()) {
            throw refused(matcher.start(), matcher.end());
        }
    }

    /** Takes a token that does not run into a word, as {@code 12ab} would. */
    private boolean take(Pattern pattern, Kind kind) {
        String found = matches(pattern);
        if (found == null || isWordPart(at + found.length())) {
            return false;
        }
        add(kind, found);
        return true;
    }

    private void takeSymbol() {
        String found = matches(SYMBOL);
        if (found == null) {
            throw refused(at, at + 1);
        }
        add(Kind.SYMBOL, found);
    }

    private void add(Kind kind, String found) {
        tokens.add(new CqlToken(kind, found, at, at + found.length()));
        at += found.length();
    }

    private boolean isWordPart(int offset) {
        return offset < text.length() && (Character.isLetterOrDigit(text.charAt(offset)) || text.charAt(offset) == '_');
    }

    private @Nullable String matches(Pattern pattern) {
        Matcher matcher = pattern.matcher(text).region(at, text.length());
        return matcher.lookingAt() && !matcher.group().isEmpty() ? matcher.group() : null;
    }

    private RefusedException refused(int start, int end) {
        return new RefusedException(
                RefusalReason.NOT_UNDERSTOOD, new CqlToken(Kind.SYMBOL, text.substring(start, end), start, end));
    }
}
