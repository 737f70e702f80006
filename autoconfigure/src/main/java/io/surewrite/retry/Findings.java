package io.surewrite.retry;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.util.ArrayList;
import java.util.List;

/** Collects what is found in one statement, and keeps the list readable. */
final class Findings {

    private static final int MOST_REFUSALS = 20;
    private static final int LONGEST_TOKEN = 60;

    private final String text;
    private final List<Refusal> refusals = new ArrayList<>();
    private boolean ownTimestamp;

    Findings(String text) {
        this.text = text;
    }

    void refuse(RefusalReason reason, CqlToken token) {
        refuse(reason, token, token);
    }

    void refuse(RefusalReason reason, CqlToken first, CqlToken last) {
        if (refusals.size() < MOST_REFUSALS) {
            String before = text.substring(0, first.start());
            int line = 1
                    + (int) before.chars()
                            .filter(character -> character == '\n')
                            .count();
            int column = first.start() - before.lastIndexOf('\n');
            refusals.add(new Refusal(reason, quote(first, last), line, column));
        }
    }

    void refuse(RefusalReason reason, CqlIdentifier column) {
        refusals.add(new Refusal(reason, column.asCql(true), 0, 0));
    }

    void noteOwnTimestamp() {
        ownTimestamp = true;
    }

    IdempotenceVerdict verdict() {
        return new IdempotenceVerdict(refusals, ownTimestamp);
    }

    private String quote(CqlToken first, CqlToken last) {
        if (first.kind() == CqlToken.Kind.END) {
            return first.text();
        }
        String quoted = text.substring(first.start(), Math.max(first.end(), last.end()));
        return quoted.length() <= LONGEST_TOKEN ? quoted : quoted.substring(0, LONGEST_TOKEN) + "...";
    }
}
