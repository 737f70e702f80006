package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.backlog.replay.StatementInspector;
import io.surewrite.cql.analysis.Allowance;
import io.surewrite.cql.analysis.IdempotenceCheck;
import io.surewrite.cql.analysis.IdempotenceVerdict;
import io.surewrite.cql.analysis.Refusal;
import io.surewrite.cql.analysis.TableLookup;
import io.surewrite.cql.analysis.WriteFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Lets wait what the idempotence check accepts. A time to live is accepted where it is a bind marker: the backlog then
 * gives what is left of it.
 */
public final class BacklogInspector implements StatementInspector {

    private final IdempotenceCheck check = new IdempotenceCheck(Set.of(Allowance.EXTENDING_TTL));
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
        CqlSession current = session.get();
        IdempotenceVerdict verdict = check.check(
                cql, TableLookup.of(current.getMetadata(), current.getKeyspace().orElse(null)));
        List<String> reasons = new ArrayList<>(
                verdict.refusals().stream().map(Refusal::message).toList());
        reasons.addAll(reasonsAgainst(verdict.facts()));
        return new Inspection(
                reasons,
                verdict.facts().tables(),
                verdict.facts().ttlMarkers(),
                verdict.facts().timestampMarkers());
    }

    /** Why a write that may be repeated must not wait. */
    static List<String> reasonsAgainst(WriteFacts facts) {
        List<String> reasons = new ArrayList<>();
        if (facts.fixedTtl()) {
            reasons.add("its time to live stands in the text, and would begin anew. Instead, bind it: USING TTL ?");
        }
        if (facts.defaultTtl()) {
            reasons.add("the time to live of its table would begin anew. Instead, state it: USING TTL ?");
        }
        if (facts.fixedTimestamp()) {
            reasons.add("its timestamp stands in the text. Instead, leave it out or bind it: USING TIMESTAMP ?");
        }
        return reasons;
    }
}
