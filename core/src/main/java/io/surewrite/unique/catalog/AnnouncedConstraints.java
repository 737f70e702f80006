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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What processes tell each other of the constraints of a table, in two rows of the table of claims. One has the names of
 * all constraints that any process has announced; it stays. The other says that some process writes the table without one
 * of them; it ends by itself when that process does.
 *
 * <p>Its methods block.
 *
 * @param session the session
 * @param writes how conditional writes run
 * @param claims the table of claims as CQL
 * @param timeout how long to ask
 * @param stays how long others believe that a process is there which has said something
 * @param process the name of this process, for people
 */
public record AnnouncedConstraints(
        CqlSession session, ConditionalWrites writes, String claims, Duration timeout, Duration stays, String process) {

    private static final String ANNOUNCED = "surewrite:constraints";
    private static final String UNGUARDED = "surewrite:unguarded";

    private static final String READ = "SELECT owner, claim_id FROM %s WHERE constraint_name = '%s' AND value = ?";
    private static final String INSERT =
            "INSERT INTO %s (constraint_name, value, owner, claim_id) VALUES ('%s', ?, ?, ?) IF NOT EXISTS%s";
    private static final String UPDATE =
            "UPDATE %s%s SET owner = ?, claim_id = ? WHERE constraint_name = '%s' AND value = ? IF claim_id = ?";

    private static final int MAX_TRIES = 8;

    /** Nothing happens yet. */
    public AnnouncedConstraints {
        session = ConditionalProfile.DEFAULT.on(session);
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
        Row before = read(UNGUARDED, table);
        List<String> said = before == null ? List.of() : names(before); // a process, and what it lacks
        boolean byAnother = !said.isEmpty() && !said.get(0).equals(process);
        if (atWork && !missing.isEmpty() && !byAnother) {
            List<String> lacking =
                    Stream.concat(Stream.of(process), missing.stream()).toList();
            // Where another process is faster, it has said it.
            var unused = write(UNGUARDED, table, lacking, before, " USING TTL " + Math.max(1, stays.toSeconds()));
        }
        return new Heard(
                missing,
                byAnother
                        ? Optional.of("%s, without %s"
                                .formatted(said.get(0), String.join(", ", said.subList(1, said.size()))))
                        : Optional.empty());
    }

    /** {@return the statement that makes all processes forget what was announced of a table; those that still have one say so again} */
    public String forgetting(String table) {
        return "DELETE FROM %s WHERE constraint_name = '%s' AND value = '%s' IF EXISTS;"
                .formatted(claims, ANNOUNCED, table.replace("'", "''"));
    }

    private Set<String> announce(String table, Set<String> mine) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            Row row = read(ANNOUNCED, table);
            Set<String> all = new TreeSet<>(row == null ? List.of() : names(row));
            if (!all.addAll(mine) || write(ANNOUNCED, table, List.copyOf(all), row, "")) {
                return all;
            }
        }
        throw unclear(table, null);
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
    private boolean write(String kind, String table, List<String> names, @Nullable Row before, String ttl) {
        String text = new UniqueValue(names, names).encoded();
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

    private static List<String> names(Row row) {
        return UniqueValue.decode(Objects.requireNonNullElse(row.getString("owner"), "")).parts().stream()
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .toList();
    }
}
