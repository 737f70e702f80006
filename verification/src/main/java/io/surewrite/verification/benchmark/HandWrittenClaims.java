package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import io.surewrite.write.ConditionalWrites;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/**
 * Unique values as one writes them by hand, with prepared statements at the levels that Surewrite uses. None of it stands
 * a crash or a lost answer.
 */
final class HandWrittenClaims {

    private static final String COLUMNS = "(id uuid PRIMARY KEY, login text, email text, city text)";

    /** As Surewrite writes its claims. */
    private static final String CREATE = """
            BEGIN BATCH
            INSERT INTO surewrite_claim (constraint_name, value, owner, claim_id, origin_id, write_ts)
                VALUES ('by hand', :value, :owner, :claim_id, :claim_id, :write_ts) IF NOT EXISTS;
            """;

    private static final String RAISE = """
            BEGIN BATCH
            UPDATE surewrite_claim SET claim_id = :claim_id, write_ts = :write_ts
                WHERE constraint_name = 'by hand' AND value = :value
                IF owner = :owner AND write_ts < :write_ts AND claim_id != :claim_id;
            """;

    private static final String RESERVE = """
            UPDATE surewrite_claim USING TTL 10 SET lease = true WHERE constraint_name = 'by hand' AND value = :value;
            APPLY BATCH""";

    private final CqlSession session;
    private final PreparedStatement claim;
    private final PreparedStatement release;
    private final PreparedStatement insert;
    private final PreparedStatement read;
    private final PreparedStatement create;
    private final PreparedStatement raise;
    private final PreparedStatement lock;
    private final PreparedStatement unlock;
    private final PreparedStatement readAccount;
    private final PreparedStatement insertAccount;

    HandWrittenClaims(CqlSession session) {
        this.session = session;
        session.execute("CREATE TABLE IF NOT EXISTS plain_member " + COLUMNS);
        session.execute("CREATE TABLE plain_claim (login text PRIMARY KEY, owner uuid)");
        session.execute("CREATE TABLE customer_account (customer_id text PRIMARY KEY, id uuid, email text, city text)");
        session.execute("CREATE TABLE customer_lock (customer_id text PRIMARY KEY)");
        claim = session.prepare("INSERT INTO plain_claim (login, owner) VALUES (?, ?) IF NOT EXISTS");
        release = session.prepare("DELETE FROM plain_claim WHERE login = ? IF owner = ?");
        insert = session.prepare("INSERT INTO plain_member (id, login, email, city) VALUES (?, ?, ?, ?)");
        read = session.prepare("SELECT login, email, city FROM plain_member WHERE id = ?");
        create = session.prepare(CREATE + RESERVE);
        raise = session.prepare(RAISE + RESERVE);
        lock = session.prepare("INSERT INTO customer_lock (customer_id) VALUES (?) IF NOT EXISTS USING TTL 10");
        unlock = session.prepare("DELETE FROM customer_lock WHERE customer_id = ?");
        readAccount = session.prepare("SELECT * FROM customer_account WHERE customer_id = ?");
        insertAccount =
                session.prepare("INSERT INTO customer_account (customer_id, id, email, city) VALUES (?, ?, ?, ?)");
    }

    /** One lightweight transaction and one plain write. */
    void insert(UUID id, String login) {
        require(execute(claim.bind(login, id)).wasApplied());
        execute(insert.bind(id, login, login + "@example.org", "Wien"));
    }

    /** The gist's third attempt: lock with a time to live, read, write, unlock. */
    void insertUnderALock(UUID id, String login) {
        require(execute(lock.bind(login)).wasApplied());
        require(execute(readAccount.bind(login)).one() == null);
        execute(insertAccount.bind(login, id, login + "@example.org", "Wien"));
        execute(unlock.bind(login));
    }

    /** The two requests of a guarded insert. */
    void insertAsOurs(UUID id, String login) {
        asOurs(create, id, login, "Wien");
    }

    /** The two requests of a guarded save that changes nothing unique. */
    void saveAsOurs(UUID id, String login, String city) {
        asOurs(raise, id, login, city);
    }

    /** The same two, the second one sent by the thread of the driver that brings the first one's answer. */
    void insertAsOursFromDriver(UUID id, String login) {
        session.executeAsync(claimAsOurs(create, id, login))
                .thenCompose(claimed -> {
                    require(claimed.wasApplied());
                    return session.executeAsync(row(id, login, "Wien"));
                })
                .toCompletableFuture()
                .join();
    }

    /** The first request of a guarded insert. */
    void claimAsOurs(UUID id, String login) {
        require(session.execute(claimAsOurs(create, id, login)).wasApplied());
    }

    /** The first request of a guarded save that changes nothing unique. */
    void raiseAsOurs(UUID id, String login) {
        require(session.execute(claimAsOurs(raise, id, login)).wasApplied());
    }

    private void asOurs(PreparedStatement claiming, UUID id, String login, String city) {
        require(session.execute(claimAsOurs(claiming, id, login)).wasApplied());
        session.execute(row(id, login, city));
    }

    private BoundStatement claimAsOurs(PreparedStatement claiming, UUID id, String login) {
        return claiming.boundStatementBuilder()
                .setString("value", login)
                .setString("owner", id.toString())
                .setUuid("claim_id", UUID.randomUUID())
                .setLong("write_ts", ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()))
                .build()
                .setExecutionProfileName(ConditionalWrites.PROFILE);
    }

    private BoundStatement row(UUID id, String login, String city) {
        return insert.bind(id, login, login + "@example.org", city).setExecutionProfileName(ConditionalWrites.PROFILE);
    }

    /** A read, two lightweight transactions and a write. */
    void change(UUID id, String before, String after) {
        require(execute(read.bind(id)).one() != null);
        require(execute(claim.bind(after, id)).wasApplied());
        execute(insert.bind(id, after, after + "@example.org", "Wien"));
        require(execute(release.bind(before, id)).wasApplied());
    }

    private ResultSet execute(BoundStatement statement) {
        return session.execute(statement.setExecutionProfileName(ConditionalWrites.PROFILE));
    }

    private static void require(boolean right) {
        if (!right) {
            throw new IllegalStateException("Another has the value");
        }
    }
}
