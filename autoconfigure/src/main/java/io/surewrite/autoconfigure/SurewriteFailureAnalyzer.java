package io.surewrite.autoconfigure;

import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.UnknownOutcomeException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Reports what ended the start, and what to do about it, without a stack trace. Before Spring Boot's own, which know less. */
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
final class SurewriteFailureAnalyzer extends AbstractFailureAnalyzer<Throwable> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, Throwable outermost) {
        InvalidConfigurationException refused = findCause(rootFailure, InvalidConfigurationException.class);
        if (refused != null) {
            return analysis(refused.problem(), refused.fix(), page(refused.page()), refused);
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
                    entry("the-keyspace-does-not-exist"),
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
                    entry("the-local-data-center-is-not-known"),
                    rootFailure);
        }
        if (findCause(rootFailure, UnknownOutcomeException.class) != null) {
            return null; // a write of the application's own, whose message says more
        }
        String timeout = DriverFailures.timeout(rootFailure);
        if (timeout != null) {
            return analysis(
                    "Cassandra did not answer in time while the application started: %s.".formatted(timeout),
                    """
                    Look whether its nodes are up, overloaded, or still starting, and start again. If they are only slow, \
                    the driver can wait longer: spring.cassandra.request.timeout.""",
                    entry("cassandra-did-not-answer-in-time"),
                    rootFailure);
        }
        String nodes = DriverFailures.unreachableNodes(rootFailure);
        return nodes == null
                ? null
                : analysis(
                        "No Cassandra answers at %s.".formatted(nodes),
                        """
                        Start it, or correct spring.cassandra.contact-points; where none of them has an address, the driver tries \
                        this machine. For development and tests add the dependency io.surewrite:surewrite-embedded-cassandra and \
                        set no contact points: it then starts a Cassandra of its own.""",
                        entry("no-cassandra-answers"),
                        rootFailure);
    }

    /** Where people can open a page of this release: they read a log, and have no folder with them. */
    static String page(String name) {
        return address(name + ".md");
    }

    /** A heading of the page on messages, as an anchor. */
    private static String entry(String heading) {
        return address("troubleshooting.md#" + heading);
    }

    private static String address(String target) {
        String version = SurewriteFailureAnalyzer.class.getPackage().getImplementationVersion();
        boolean released = version != null && !version.endsWith("-SNAPSHOT");
        return "https://github.com/surewrite/surewrite/blob/%s/docs/%s (Surewrite %s)"
                .formatted(released ? "v" + version : "main", target, version == null ? "from its sources" : version);
    }

    private static FailureAnalysis analysis(String problem, String fix, String page, Throwable cause) {
        return new FailureAnalysis(problem, "Fix: %s\n\nWhat it means: %s".formatted(fix, page), cause);
    }
}
