package io.surewrite.verification.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.surewrite.cql.ConditionalWrites;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** An insert by the statements that Surewrite sends, in its table of claims, without all that it does in the client. */
final class SameStatements {

    private static final int LEASE_SECONDS = 10;

    private final CqlSession session;
    private final PreparedStatement claim;
    private final PreparedStatement insert;

    /**
     * @param session where {@link HandWritten} and Surewrite have their tables
     */
    SameStatements(CqlSession session) {
        this.session = session;
        claim = session.prepare("""
                BEGIN BATCH
                INSERT INTO surewrite_claim (constraint_name, value, owner, claim_id, origin_id, write_ts)
                    VALUES (?, ?, ?, ?, ?, ?) IF NOT EXISTS;
                UPDATE surewrite_claim USING TTL ? SET lease = true WHERE constraint_name = ? AND value = ?;
                APPLY BATCH""");
        insert = session.prepare(
                "INSERT INTO plain_member (id, login, email, city) VALUES (?, ?, ?, ?) USING TIMESTAMP ?");
    }

    void insert(UUID id, String login) {
        long timestamp = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        String constraint = "same.login";
        String value = login.length() + ":" + login;
        BoundStatement claimed = claim.bind(
                constraint,
                value,
                "36:" + id,
                UUID.randomUUID(),
                UUID.randomUUID(),
                timestamp,
                LEASE_SECONDS,
                constraint,
                value);
        if (!session.execute(claimed.setExecutionProfileName(ConditionalWrites.PROFILE))
                .wasApplied()) {
            throw new IllegalStateException("Another has the value");
        }
        session.execute(insert.bind(id, login, login + "@example.org", "Wien", timestamp)
                .setExecutionProfileName(ConditionalWrites.PROFILE));
    }
}
