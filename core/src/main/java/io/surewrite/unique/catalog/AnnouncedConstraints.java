package io.surewrite.unique.catalog;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.cql.ConditionalWrite;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.WriteOutcome;
import io.surewrite.cql.settle.ConditionalProfile;
import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.UniqueValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What processes tell each other of the constraints of a table, in two rows of the table of claims. One has the names of
 * all constraints that any process has announced; it stays. The other says that some process writes the table without one
 * of them; it ends by itself when that process does.
 *
 * <p>Its methods block.
 */
public final class AnnouncedConstraints {

    private static final String ANNOUNCED = "surewrite:constraints";
    private static final String UNGUARDED = "surewrite:unguarded";

    private static final String READ = "SELECT owner, claim_id FROM %s WHERE constraint_name = '%s' AND value = ?";
    private static final String INSERT =
            "INSERT INTO %s (constraint_name, value, owner, claim_id) VALUES ('%s', ?, ?, ?) IF NOT EXISTS%s";
    private static final String UPDATE =
            "UPDATE %s%s SET owner = ?, claim_id = ? WHERE constraint_name = '%s' AND value = ? IF claim_id = ?";

    private static final int MAX_TRIES = 8;

    private final CqlSession session;
    private final ConditionalWrites writes;
    private final String claims;
    private final Duration timeout;
    private final Duration stays;
    private final String process;

    /**
     * Nothing happens yet.
     *
     * @param session the session
     * @param writes how conditional writes run
     * @param claims the table of claims as CQL
     * @param timeout how long to ask
     * @param stays how long others believe that a process is there which has said something
     * @param process the name of this process, for people
     */
    public AnnouncedConstraints(
            CqlSession session,
            ConditionalWrites writes,
            String claims,
            Duration timeout,
            Duration stays,
            String process) {
        this.session = ConditionalProfile.DEFAULT.on(session);
        this.writes = writes;
        this.claims = claims;
        this.timeout = timeout;
        this.stays = stays;
        this.process = process;
    }

    /**
     * What others have said of a table.
     *
     * @param missing the constraints that some process has or had, and this one has not
     * @param unguarded the process that said last that it writes the table without one, and which; never this process
     */
    public record Heard(Set<String> missing, Optional<String> unguarded) {}

    /**
     * Says what this process has, and what it lacks, and hears what others have said.
     *
     * @param table a table that this process writes, with its keyspace
     * @param mine the names of the constraints that it has on the table
     * @param atWork whether it writes the table by now: if not, it does not say what it lacks
     * @return what others have said
     * @throws ClaimsUnavailableException if the cluster gives no clear answer
     */
    public Heard exchange(String table, Set<String> mine, boolean atWork) {
        Set<String> missing = new TreeSet<>(announce(table, mine));
        missing.removeAll(mine);
        Row said = read(UNGUARDED, table);
        Said last = said == null ? null : Said.of(text(said));
        if (atWork && !missing.isEmpty() && (last == null || last.process().equals(process))) {
            sayUnguarded(table, missing, said);
        }
        return new Heard(
                missing,
                Optional.ofNullable(last)
                        .filter(other -> !other.process().equals(process))
                        .map(Said::toString));
    }

    /** {@return the statement that makes all processes forget what was announced of a table; those that still have one say so again} */
    public String forgetting(String table) {
        return "DELETE FROM %s WHERE constraint_name = '%s' AND value = '%s' IF EXISTS;"
                .formatted(claims, ANNOUNCED, table.replace("'", "''"));
    }

    /** What a process that lacks constraints has said. */
    private record Said(String process, List<String> missing) {

        static Said of(String text) {
            List<String> parts = names(text);
            return new Said(parts.get(0), parts.subList(1, parts.size()));
        }

        String text() {
            List<String> parts = new ArrayList<>(List.of(process));
            parts.addAll(missing);
            return encoded(parts);
        }

        @Override
        public String toString() {
            return "%s, without %s".formatted(process, String.join(", ", missing));
        }
    }

    private Set<String> announce(String table, Set<String> mine) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            Row row = read(ANNOUNCED, table);
            Set<String> all = new TreeSet<>(row == null ? List.of() : names(text(row)));
            if (!all.addAll(mine) || write(ANNOUNCED, table, encoded(List.copyOf(all)), row, "")) {
                return all;
            }
        }
        throw unclear(table, null);
    }

    /** Where another process is faster, it has said it. */
    private void sayUnguarded(String table, Set<String> missing, @Nullable Row before) {
        var unused = write(
                UNGUARDED,
                table,
                new Said(process, List.copyOf(missing)).text(),
                before,
                " USING TTL " + Math.max(1, stays.toSeconds()));
    }

    private @Nullable Row read(String kind, String table) {
        return session.execute(SimpleStatement.builder(READ.formatted(claims, kind))
                        .addPositionalValue(table)
                        .setExecutionProfileName(ConditionalWrites.PROFILE)
                        .setIdempotence(true)
                        .build())
                .one();
    }

    /** {@return whether it was written; otherwise the row has changed since it was read} */
    private boolean write(String kind, String table, String text, @Nullable Row before, String ttl) {
        UUID id = UUID.randomUUID();
        SimpleStatement statement = before == null
                ? SimpleStatement.newInstance(INSERT.formatted(claims, kind, ttl), table, text, id)
                : SimpleStatement.newInstance(
                        UPDATE.formatted(claims, ttl, kind), text, id, table, before.getUuid("claim_id"));
        WriteOutcome outcome = writes.execute(
                        new ConditionalWrite(
                                statement,
                                row -> row.getColumnDefinitions().contains("claim_id")
                                        && id.equals(row.getUuid("claim_id"))),
                        timeout)
                .toCompletableFuture()
                .join();
        if (outcome.cause() != null) {
            throw unclear(table, outcome.cause());
        }
        return outcome instanceof WriteOutcome.Applied;
    }

    private static ClaimsUnavailableException unclear(String table, @Nullable Throwable cause) {
        return new ClaimsUnavailableException("The constraints of %s could not be announced".formatted(table), cause);
    }

    private static String text(Row row) {
        return Objects.requireNonNullElse(row.getString("owner"), "");
    }

    private static String encoded(List<String> names) {
        return new UniqueValue(names, names).encoded();
    }

    private static List<String> names(String text) {
        return UniqueValue.decode(text).parts().stream()
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .toList();
    }
}
