package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.internal.cql.IdempotenceCheck.IdempotenceVerdict;
import io.surewrite.internal.cql.IdempotenceCheck.IdempotenceVerdict.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.springframework.util.StringUtils;

/** Collects what is found in one statement, and keeps the list of refusals readable. */
final class Findings {

    private static final int MOST_REFUSALS = 20;
    private static final int LONGEST_TOKEN = 60;

    private final String text;
    private final boolean extendTtl;
    private final List<Refusal> refusals = new ArrayList<>();
    final List<TableMetadata> tables = new ArrayList<>();
    private final List<Integer> ttlMarkers = new ArrayList<>();
    private final List<Integer> timestampMarkers = new ArrayList<>();
    private boolean fixedTtl;
    private boolean fixedTimestamp;
    private boolean defaultTtl;

    Findings(String text, boolean extendTtl) {
        this.text = text;
        this.extendTtl = extendTtl;
    }

    void refuse(RefusalReason reason, CqlToken token) {
        refuse(reason, token, token);
    }

    void refuse(RefusalReason reason, CqlToken first, CqlToken last) {
        if (refusals.size() < MOST_REFUSALS) {
            String before = text.substring(0, first.start());
            int line = 1 + StringUtils.countOccurrencesOf(before, "\n");
            int column = first.start() - before.lastIndexOf('\n');
            refusals.add(new Refusal(reason, quote(first, last), line, column));
        }
    }

    void refuse(RefusalReason reason, CqlIdentifier name) {
        refusals.add(new Refusal(reason, name.asCql(true), 0, 0));
    }

    /** By its marker, or -1 if it stands in the text. */
    void noteTimestamp(int marker) {
        fixedTimestamp |= note(timestampMarkers, marker);
    }

    void noteTtl(int marker, CqlToken first, CqlToken last) {
        fixedTtl |= note(ttlMarkers, marker);
        if (!extendTtl) {
            refuse(RefusalReason.RELATIVE_TTL, first, last);
        }
    }

    private static boolean note(List<Integer> markers, int marker) {
        return marker < 0 || !markers.add(marker);
    }

    void noteDefaultTtl(Runnable refusal) {
        defaultTtl = true;
        if (!extendTtl) {
            refusal.run();
        }
    }

    IdempotenceVerdict verdict() {
        return new IdempotenceVerdict(
                refusals, tables, ttlMarkers, timestampMarkers, fixedTtl, fixedTimestamp, defaultTtl);
    }

    private String quote(CqlToken first, CqlToken last) {
        if (first.kind() == CqlToken.Kind.END) {
            return first.text();
        }
        String quoted = text.substring(first.start(), Math.max(first.end(), last.end()));
        return quoted.length() <= LONGEST_TOKEN ? quoted : quoted.substring(0, LONGEST_TOKEN) + "...";
    }
}
