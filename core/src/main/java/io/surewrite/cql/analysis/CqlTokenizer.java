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

    private static final Pattern PLACEHOLDER_START = Pattern.compile("[?:][#$]\\{");
    private static final Pattern PARAMETER_PATH =
            Pattern.compile("[?:]#\\{(#[A-Za-z]\\w*+|\\[\\d++])(\\.[A-Za-z]\\w*+){0,20}+}");

    /** Each takes as much as it can; the first that fits is taken. */
    private static final List<Rule> RULES = List.of(
            new Rule(null, "[ \t\r\n]++|(--|//)[^\r\n]*+|/\\*.*?\\*/"),
            new Rule(Kind.STRING, "'([^']|'')*+'|\\$\\$.*?\\$\\$"),
            new Rule(Kind.QUOTED_NAME, "\"([^\"]|\"\")*+\""),
            // No marker has the name of a constant: in {a:NULL} the colon stands for itself.
            Rule.word(Kind.MARKER, "\\?\\d*+|:(?!(?i:null|true|false|nan|infinity)(?!\\w))[A-Za-z]\\w*+"),
            Rule.word(Kind.LITERAL, "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}"), // a uuid
            Rule.word(
                    Kind.LITERAL, // a duration
                    "(\\d++(?i:mo|ms|us|\u00b5s|ns|[ywdhms])){1,12}+"
                            + "|P\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d"
                            + "|P\\d++W"
                            + "|P(?=[\\dT])(\\d++Y)?+(\\d++M)?+(\\d++D)?+(T(?=\\d)(\\d++H)?+(\\d++M)?+(\\d++S)?+)?+"),
            Rule.word(Kind.LITERAL, "0[xX]\\p{XDigit}*+"), // a blob
            Rule.word(Kind.NUMBER, "\\d++(\\.\\d*+)?+([eE][+-]?\\d++)?+"),
            Rule.word(Kind.WORD, "[A-Za-z]\\w*+"),
            new Rule(Kind.SYMBOL, "[+\\-<>!]=|[()\\[\\]{},;.:=<>+*%-]|/(?!\\*)"));

    /**
     * How tokens of a kind look.
     *
     * @param kind the kind; null for blanks and comments, which are left out
     */
    private record Rule(@Nullable Kind kind, Pattern pattern) {

        Rule(@Nullable Kind kind, String pattern) {
            this(kind, Pattern.compile(pattern, Pattern.DOTALL));
        }

        /** One that does not run into a word, as {@code 12ab} would. */
        static Rule word(Kind kind, String pattern) {
            return new Rule(kind, "(?>" + pattern + ")(?![\\p{L}\\p{Nd}_])");
        }
    }

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
        CqlTokenizer tokenizer = new CqlTokenizer(text);
        while (tokenizer.at < text.length()) {
            tokenizer.readNext();
        }
        tokenizer.tokens.add(new CqlToken(Kind.END, "end of statement", text.length(), text.length()));
        return tokenizer.tokens;
    }

    private void readNext() {
        if (from(PLACEHOLDER_START).lookingAt()) {
            readPlaceholder();
            return;
        }
        for (Rule rule : RULES) {
            Matcher matcher = from(rule.pattern());
            if (matcher.lookingAt()) {
                refusePlaceholderIn(matcher.group());
                if (rule.kind() != null) {
                    tokens.add(new CqlToken(rule.kind(), content(matcher.group()), at, matcher.end()));
                }
                at = matcher.end();
                return;
            }
        }
        throw refused(at, at + 1);
    }

    private Matcher from(Pattern pattern) {
        return pattern.matcher(text).region(at, text.length());
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
    private void refusePlaceholderIn(String found) {
        Matcher matcher = PLACEHOLDER_START.matcher(found);
        if (matcher.find()) {
            throw refused(at + matcher.start(), at + matcher.end());
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

    private RefusedException refused(int start, int end) {
        return new RefusedException(
                RefusalReason.NOT_UNDERSTOOD, new CqlToken(Kind.SYMBOL, text.substring(start, end), start, end));
    }
}
