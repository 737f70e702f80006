package io.surewrite.autoconfigure;

import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.UnknownOutcomeException;
import java.net.InetSocketAddress;
import java.util.List;
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

    private final @Nullable Environment environment;

    SurewriteFailureAnalyzer(@Nullable Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, Throwable outermost) {
        InvalidConfigurationException refused = findCause(rootFailure, InvalidConfigurationException.class);
        if (refused != null) {
            return analysis(
                    HumanText.of(refused.problem()),
                    HumanText.of(refused.fix()),
                    HumanText.page(refused.page()),
                    refused);
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
        if (findCause(rootFailure, UnknownOutcomeException.class) != null) {
            return null; // a write of the application's own, whose message says more
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

    private static FailureAnalysis analysis(String problem, String fix, String page, Throwable cause) {
        return new FailureAnalysis(problem, "Fix: %s\n\nWhat it means: %s".formatted(fix, page), cause);
    }

    private static String host(String contactPoint) {
        int port = contactPoint.lastIndexOf(':');
        boolean hasPort = port > 0 && contactPoint.indexOf(':') == port;
        return (hasPort ? contactPoint.substring(0, port) : contactPoint).strip();
    }
}
