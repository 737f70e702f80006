package io.surewrite.autoconfigure;

import io.surewrite.backlog.BacklogException;
import io.surewrite.cql.SerialConsistencyException;
import io.surewrite.cql.TransactionalTableException;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.journal.JournalException;
import io.surewrite.lease.LeaseSettingsException;
import io.surewrite.retry.IdempotentMethodException;
import io.surewrite.schema.SchemaException;
import io.surewrite.session.SureSessionException;
import io.surewrite.unique.InvalidConstraintException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports what ended the start, and what to do about it, without a stack trace. */
final class SurewriteFailureAnalyzer extends AbstractFailureAnalyzer<Throwable> {

    private static final List<Report<?>> REPORTS = List.of(
            new Report<>(
                    BacklogException.class,
                    refused ->
                            "Fix what the message says, or start without the backlog: %s.enabled=false. Writes that wait stay in its directory."
                                    .formatted(BacklogProperties.PREFIX)),
            new Report<>(
                    IdempotentMethodException.class,
                    refused ->
                            "Change the method as each reason says, or take @Idempotent away from it; docs/idempotence.md lists what may be repeated."),
            new Report<>(
                    InvalidConstraintException.class,
                    refused -> refused.action() + " docs/unique.md says what can be unique."),
            new Report<>(JournalException.class, refused -> "Correct the properties under surewrite.journal."),
            new Report<>(
                    LeaseSettingsException.class,
                    refused -> "Correct the properties under " + LeaseProperties.PREFIX + "."),
            new Report<>(SchemaException.class, refused -> String.join("\n", refused.problems()), SchemaException::fix),
            new Report<>(SerialConsistencyException.class, SerialConsistencyException::fix),
            new Report<>(
                    SureSessionException.class,
                    SureSessionException::problem,
                    refused -> refused.action() + " docs/session.md says how several sessions are used."),
            new Report<>(
                    TransactionalTableException.class,
                    refused -> "Do what the message says; docs/compatibility.md says what holds on which server."));

    /** What is said of an exception of Surewrite's: what is wrong, and how to fix it. */
    private record Report<E extends Throwable>(
            Class<E> type, Function<E, @Nullable String> problem, Function<E, String> fix) {

        Report(Class<E> type, Function<E, String> fix) {
            this(type, Throwable::getMessage, fix);
        }

        FailureAnalysis of(Throwable cause) {
            E refused = type.cast(cause);
            return new FailureAnalysis(problem.apply(refused), fix.apply(refused), refused);
        }
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, Throwable outermost) {
        for (Report<?> report : REPORTS) {
            Throwable cause = findCause(rootFailure, report.type());
            if (cause != null) {
                return report.of(cause);
            }
        }
        String keyspace = DriverFailures.missingKeyspace(rootFailure);
        if (keyspace != null) {
            return new FailureAnalysis(
                    "The keyspace %s, which the Cassandra session starts in, does not exist.".formatted(keyspace),
                    """
                    Neither Spring Boot nor Surewrite creates it. Correct spring.cassandra.keyspace-name, or create the \
                    keyspace with the replication that you need, for example:

                    CREATE KEYSPACE %s WITH replication = \
                    {'class': 'NetworkTopologyStrategy', 'replication_factor': 3};""".formatted(keyspace),
                    rootFailure);
        }
        String nodes = DriverFailures.unreachableNodes(rootFailure);
        return nodes == null
                ? null
                : new FailureAnalysis("No Cassandra answers at %s.".formatted(nodes), """
                    Start it, or correct spring.cassandra.contact-points. For development and tests add the dependency \
                    io.surewrite:surewrite-embedded-cassandra and set no contact points: it then starts a Cassandra of its own.""", rootFailure);
    }
}
