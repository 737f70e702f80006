package io.surewrite.verification.unique;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.UniqueSettings;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.ClaimingGuard;
import io.surewrite.unique.claims.EntityWrite;
import io.surewrite.unique.rows.CqlRows;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;

/** A guard with a table of claims of its own that already has many rows. */
final class Grown {

    private static final UniqueSettings SETTINGS = new UniqueSettings(
            Duration.ofSeconds(10),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            false);

    private static final UniqueConstraint LOGIN = UniqueConstraint.on("grown", "login");
    private static final int IN_FLIGHT = 256;

    private final CqlSession session;
    private final String claims;
    private final ClaimingGuard guard;
    private final CqlRows rows;
    private final PreparedStatement insert;

    /**
     * @param name of its tables
     */
    Grown(CqlSession session, ConditionalWrites writes, String name) {
        this.session = session;
        this.claims = name + "_claim";
        session.execute("CREATE TABLE " + name + " (id uuid PRIMARY KEY, login text)");
        session.execute("""
                CREATE TABLE %s (constraint_name text, value text, owner text, claim_id uuid, origin_id uuid,
                    write_ts bigint, fence bigint, lease boolean, PRIMARY KEY ((constraint_name, value)))""".formatted(claims));
        TableMetadata table = session.getMetadata()
                .getKeyspace(session.getKeyspace().orElseThrow())
                .flatMap(keyspace -> keyspace.getTable(name))
                .orElseThrow();
        this.rows = CqlRows.of(session, table, List.of(LOGIN));
        this.guard = ClaimingGuard.on(session, writes, claims, "unused", SETTINGS, UniqueListener.NONE);
        this.insert = session.prepare("INSERT INTO " + name + " (id, login) VALUES (?, ?)");
    }

    /** Fills the table of claims, past the guard: nobody ever wants these values. */
    Grown with(int many) throws InterruptedException {
        PreparedStatement filler = session.prepare(
                "INSERT INTO %s (constraint_name, value, owner, claim_id, origin_id, write_ts) VALUES (?, ?, ?, ?, ?, ?)"
                        .formatted(claims));
        Semaphore room = new Semaphore(IN_FLIGHT);
        for (int i = 0; i < many; i++) {
            room.acquire();
            UUID id = UUID.randomUUID();
            session.executeAsync(filler.bind("grown", "filler" + i, "36:" + id, id, id, 1L))
                    .whenComplete((done, failure) -> room.release());
        }
        room.acquire(IN_FLIGHT);
        return this;
    }

    void insert() {
        UUID id = UUID.randomUUID();
        Member member = new Member(id, rows.owner(Map.of(CqlIdentifier.fromCql("id"), id)), "login-" + id);
        DriverFailures.joined(guard.insertAsync(rows, member));
    }

    private final class Member implements EntityWrite {

        private final UUID id;
        private final String owner;
        private final String login;

        Member(UUID id, String owner, String login) {
            this.id = id;
            this.owner = owner;
            this.login = login;
        }

        @Override
        public String owner() {
            return owner;
        }

        @Override
        public UniqueValue value(UniqueConstraint constraint) {
            return constraint.value(List.of(login));
        }

        @Override
        public CompletionStage<Void> write(long timestamp) {
            return session.executeAsync(insert.bind(id, login)
                            .setQueryTimestamp(timestamp)
                            .setExecutionProfileName(ConditionalWrites.PROFILE))
                    .thenAccept(done -> {});
        }
    }
}
