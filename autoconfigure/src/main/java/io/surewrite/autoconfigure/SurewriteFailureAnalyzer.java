package io.surewrite.autoconfigure;

import io.surewrite.backlog.BacklogException;
import io.surewrite.cql.SerialConsistencyException;
import io.surewrite.cql.TransactionalTableException;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.journal.JournalException;
import io.surewrite.lease.LeaseSettingsException;
import io.surewrite.lease.LeasedMethodException;
import io.surewrite.overwrite.OverwriteException;
import io.surewrite.repository.RefusedRepositoriesException;
import io.surewrite.retry.IdempotentMethodException;
import io.surewrite.schema.SchemaException;
import io.surewrite.session.SureSessionException;
import io.surewrite.unique.InvalidConstraintException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Reports what ended the start, and what to do about it, without a stack trace. Before Spring Boot's own, which know less. */
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
final class SurewriteFailureAnalyzer extends AbstractFailureAnalyzer<Throwable> {

    private static final String CONTACT_POINTS = "spring.cassandra.contact-points";

    /** The first that fits a failure, or one of its causes. */
    private static final List<Report<?>> REPORTS = List.of(
            new Report<>(
                    RefusedRepositoriesException.class,
                    SurewriteFailureAnalyzer::problems,
                    SurewriteFailureAnalyzer::fixes),
            new Report<>(
                    BacklogException.class,
                    refused ->
                            "Fix what the message says, or start without the backlog: %s.enabled=false. Writes that wait stay in its directory."
                                    .formatted(BacklogProperties.PREFIX)),
            new Report<>(
                    IdempotentMethodException.class,
                    refused ->
                            "Change the method as each reason says, or take @Idempotent away from it. What may be repeated: "
                                    + HumanText.page("idempotence")),
            new Report<>(
                    InvalidConstraintException.class,
                    refused -> refused.action() + " What can be unique: " + HumanText.page("unique")),
            new Report<>(JournalException.class, refused -> "Correct the properties under surewrite.journal."),
            new Report<>(
                    LeasedMethodException.class,
                    refused -> "Correct the annotation. Its attributes, and what they may be: "
                            + HumanText.page("leases")),
            new Report<>(
                    LeaseSettingsException.class,
                    refused -> "Correct the properties under " + LeaseProperties.PREFIX + "."),
            new Report<>(
                    OverwriteException.class,
                    refused ->
                            "Change the table as the message says, or let the repository save without overwriting: @Overwriting(false), or surewrite.overwrite.on-save=false for all. What can be overwritten: "
                                    + HumanText.page("overwrites")),
            new Report<>(SchemaException.class, refused -> String.join("\n", refused.problems()), SchemaException::fix),
            new Report<>(SerialConsistencyException.class, SerialConsistencyException::fix),
            new Report<>(
                    SureSessionException.class,
                    SureSessionException::problem,
                    refused -> "%s How several sessions are used: %s. What is needed of their servers: %s"
                            .formatted(refused.action(), HumanText.page("session"), HumanText.page("compatibility"))),
            new Report<>(
                    PropertyCheck.RefusedSettings.class,
                    refused -> "Correct the properties under %s.".formatted(refused.getName())),
            new Report<>(PropertyCheck.MissingProperty.class, refused -> "Set %s.".formatted(refused.getName())),
            new Report<>(
                    TransactionalTableException.class,
                    refused ->
                            "Do what the message says. What holds on which server: " + HumanText.page("compatibility")),
            new Report<>(
                    WrongDatacenterException.class,
                    refused -> "Correct spring.cassandra.local-datacenter. What serves several data centers: "
                            + HumanText.page("session")));

    private final @Nullable Environment environment;

    SurewriteFailureAnalyzer(@Nullable Environment environment) {
        this.environment = environment;
    }

    /** What is said of an exception of Surewrite's: what is wrong, and how to fix it. */
    private record Report<E extends Throwable>(
            Class<E> type, Function<E, @Nullable String> problem, Function<E, String> fix) {

        Report(Class<E> type, Function<E, String> fix) {
            this(type, Throwable::getMessage, fix);
        }

        String problemOf(Throwable cause) {
            return HumanText.of(String.valueOf(problem.apply(type.cast(cause))));
        }

        String fixOf(Throwable cause) {
            return HumanText.of(fix.apply(type.cast(cause)));
        }
    }

    private static Report<?> report(Throwable exact) {
        return REPORTS.stream()
                .filter(report -> report.type().isInstance(exact))
                .findFirst()
                .orElseThrow();
    }

    private static String problems(RefusedRepositoriesException refused) {
        List<RuntimeException> all = refused.refusals();
        String texts = all.stream().map(each -> report(each).problemOf(each)).collect(Collectors.joining("\n\n"));
        return all.size() == 1 ? texts : "%d refusals:\n\n%s".formatted(all.size(), texts);
    }

    private static String fixes(RefusedRepositoriesException refused) {
        List<RuntimeException> all = refused.refusals();
        return all.stream()
                .map(each -> all.size() > 1 && each instanceof InvalidConstraintException
                        ? "Change each constraint as its text says. What can be unique: " + HumanText.page("unique")
                        : report(each).fixOf(each))
                .distinct()
                .collect(Collectors.joining("\n\n"));
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, Throwable outermost) {
        for (Report<?> report : REPORTS) {
            Throwable cause = findCause(rootFailure, report.type());
            if (cause != null) {
                return analysis(report.problemOf(cause), report.fixOf(cause), HumanText.entry(oneOf(cause)), cause);
            }
        }
        String keyspace = DriverFailures.missingKeyspace(rootFailure);
        if (keyspace != null) {
            return analysis(
                    "The keyspace %s, which the Cassandra session starts in, does not exist.".formatted(keyspace),
                    """
                    Neither Spring Boot nor Surewrite creates it. Correct spring.cassandra.keyspace-name, or create the \
                    keyspace with the replication that you need, for example:

                    CREATE KEYSPACE %s WITH replication = \
                    {'class': 'NetworkTopologyStrategy', 'replication_factor': 3};""".formatted(keyspace),
                    HumanText.entry("the-keyspace-does-not-exist"),
                    rootFailure);
        }
        String datacenters = DriverFailures.datacentersToChooseFrom(rootFailure);
        if (datacenters != null) {
            return analysis(
                    "The Cassandra session does not know its local data center. The cluster has: %s."
                            .formatted(datacenters),
                    "Set spring.cassandra.local-datacenter to the one that this application is in%s."
                            .formatted(
                                    datacenters.contains(",")
                                            ? ""
                                            : ": spring.cassandra.local-datacenter=" + datacenters),
                    HumanText.entry("the-local-data-center-is-not-known"),
                    rootFailure);
        }
        String timeout = DriverFailures.timeout(rootFailure);
        if (timeout != null) {
            return analysis(
                    "Cassandra did not answer in time while the application started: %s."
                            .formatted(HumanText.of(timeout)),
                    """
                    Look whether its nodes are up, overloaded, or still starting, and start again. If they are only slow, \
                    the driver can wait longer: spring.cassandra.request.timeout.""",
                    HumanText.entry("cassandra-did-not-answer-in-time"),
                    rootFailure);
        }
        String nodes = DriverFailures.unreachableNodes(rootFailure);
        return nodes == null ? null : unreachable(nodes, rootFailure);
    }

    /** Where no contact point has an address the driver tries this machine, which nobody asked for. */
    private FailureAnalysis unreachable(String tried, Throwable failure) {
        List<String> configured = environment == null
                ? List.of()
                : Binder.get(environment)
                        .bind(CONTACT_POINTS, Bindable.listOf(String.class))
                        .orElseGet(List::of);
        List<String> unknown = configured.stream()
                .map(SurewriteFailureAnalyzer::host)
                .distinct()
                .filter(host -> new InetSocketAddress(host, 0).isUnresolved())
                .toList();
        if (!unknown.isEmpty()) {
            return analysis(
                    "No Cassandra answers at %s. This machine knows no address of %s."
                            .formatted(String.join(", ", configured), String.join(", ", unknown)),
                    "Correct %s, or the name service.".formatted(CONTACT_POINTS),
                    HumanText.entry("no-cassandra-answers"),
                    failure);
        }
        return analysis(
                "No Cassandra answers at %s.".formatted(tried), """
                    Start it, or correct spring.cassandra.contact-points. For development and tests add the dependency \
                    io.surewrite:surewrite-embedded-cassandra and set no contact points: it then starts a Cassandra of its own.""", HumanText.entry("no-cassandra-answers"), failure);
    }

    private static FailureAnalysis analysis(String problem, String fix, String entry, Throwable cause) {
        return new FailureAnalysis(problem, fix + "\n\nWhat it means: " + entry, cause);
    }

    /** A single refusal is reported as if it stood alone. */
    private static Throwable oneOf(Throwable cause) {
        return cause instanceof RefusedRepositoriesException refused
                        && refused.refusals().size() == 1
                ? refused.refusals().get(0)
                : cause;
    }

    private static String host(String contactPoint) {
        int port = contactPoint.lastIndexOf(':');
        boolean hasPort = port > 0 && contactPoint.indexOf(':') == port;
        return (hasPort ? contactPoint.substring(0, port) : contactPoint).strip();
    }
}
