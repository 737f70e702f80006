package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.backlog.replay.StatementInspector;
import io.surewrite.cql.analysis.IdempotenceCheck;
import io.surewrite.cql.analysis.IdempotenceVerdict;
import io.surewrite.cql.analysis.TableLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Lets wait what the idempotence check accepts. A time to live is accepted where it is a bind marker: the backlog then
 * gives what is left of it.
 */
public final class BacklogInspector implements StatementInspector {

    private final IdempotenceCheck check = new IdempotenceCheck(true);
    private final Supplier<CqlSession> session;

    /**
     * Creates it.
     *
     * @param session whose schema is looked at
     */
    public BacklogInspector(Supplier<CqlSession> session) {
        this.session = session;
    }

    @Override
    public Inspection inspect(String cql) {
        IdempotenceVerdict verdict = check.check(cql, TableLookup.of(session.get()));
        List<String> reasons = new ArrayList<>(verdict.reasons());
        reasons.addAll(reasonsAgainst(verdict));
        return new Inspection(reasons, verdict.tables(), verdict.ttlMarkers(), verdict.timestampMarkers());
    }

    /** Why a write that may be repeated must not wait. */
    static List<String> reasonsAgainst(IdempotenceVerdict write) {
        List<String> reasons = new ArrayList<>();
        if (write.fixedTtl()) {
            reasons.add("its time to live stands in the text, and would begin anew. Instead, bind it: USING TTL ?");
        }
        if (write.defaultTtl()) {
            reasons.add("the time to live of its table would begin anew. Instead, state it: USING TTL ?");
        }
        if (write.fixedTimestamp()) {
            reasons.add("its timestamp stands in the text. Instead, leave it out or bind it: USING TIMESTAMP ?");
        }
        return reasons;
    }
}
