package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.util.StringUtils;

/**
 * What is found in one statement. All but the refusals is for those who want to do the write later; of a refused write it says
 * what was understood.
 *
 * @param tables the tables that it writes, each as often as it is written
 * @param ttlMarkers which bind markers, counted from 0, are times to live
 * @param timestampMarkers which are timestamps, which the server prefers to the pinned one; that counts for parts without one
 * @param reasonsAgainstWaiting why a write that may be repeated must not wait, each with its fix
 */
public record IdempotenceVerdict(
        String text,
        boolean extendTtl,
        List<Refusal> refusals,
        List<TableMetadata> tables,
        List<Integer> ttlMarkers,
        List<Integer> timestampMarkers,
        Set<String> reasonsAgainstWaiting) {

    private static final int MOST_REFUSALS = 20;
    private static final int LONGEST_TOKEN = 60;

    IdempotenceVerdict(String text, boolean extendTtl) {
        this(
                text,
                extendTtl,
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new LinkedHashSet<>());
    }

    public List<String> reasons() {
        return refusals.stream().map(Refusal::message).toList();
    }

    /** A part of a write that makes it unfit for a retry; line and column count from 1, and are 0 if there is no text. */
    public record Refusal(RefusalReason reason, String token, int line, int column) {

        public String message() {
            String where = line == 0 ? "" : " (line " + line + ", column " + column + ")";
            return "'" + token + "'" + where + ": " + reason.text() + ". Fix: " + reason.fix() + ".";
        }
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
        if (marker < 0) {
            reasonsAgainstWaiting.add(
                    "its timestamp stands in the text. Fix: leave it out or bind it: USING TIMESTAMP ?");
        } else {
            timestampMarkers.add(marker);
        }
    }

    void noteTtl(int marker, CqlToken first, CqlToken last) {
        if (marker < 0) {
            reasonsAgainstWaiting.add(
                    "its time to live stands in the text, and would begin anew. Fix: bind it: USING TTL ?");
        } else {
            ttlMarkers.add(marker);
        }
        if (!extendTtl) {
            refuse(RefusalReason.RELATIVE_TTL, first, last);
        }
    }

    /** Of a table that gives the rows a time to live, which the text does not state. */
    void noteDefaultTtl(Runnable refusal) {
        reasonsAgainstWaiting.add("the time to live of its table would begin anew. Fix: state it: USING TTL ?");
        if (!extendTtl) {
            refusal.run();
        }
    }

    private String quote(CqlToken first, CqlToken last) {
        if (first.kind() == CqlToken.Kind.END) {
            return first.text();
        }
        String quoted = text.substring(first.start(), Math.max(first.end(), last.end()));
        return quoted.length() <= LONGEST_TOKEN ? quoted : quoted.substring(0, LONGEST_TOKEN) + "...";
    }
}
