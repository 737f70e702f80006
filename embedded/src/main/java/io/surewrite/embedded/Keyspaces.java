package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.STATEMENT_FAILED;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes keyspaces that live on every node. */
final class Keyspaces {

    private static final long AGREEMENT_NANOS = 60_000_000_000L; // three nodes on a busy build machine

    private Keyspaces() {}

    /** @param durable whether its rows are to survive the end of a node's process; else it writes no commit log, and a TRUNCATE no file */
    static void create(
            String name, List<InetSocketAddress> running, Map<String, Integer> dataCenters, boolean durable) {
        String replicas = dataCenters.entrySet().stream()
                .map(each -> ", '%s': %d".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining());
        String cql = """
                CREATE KEYSPACE IF NOT EXISTS "%s" WITH replication = {'class': 'NetworkTopologyStrategy'%s}
                AND durable_writes = %s
                """.formatted(mustBeValid(name), replicas, durable);
        try {
            execute(running.get(0), cql);
            for (InetSocketAddress node : running) {
                awaitKeyspace(node, name);
            }
        } catch (IOException e) {
            throw new EmbeddedCassandraException(
                    STATEMENT_FAILED,
                    "Cannot create the keyspace " + name + ": " + e.getMessage(),
                    "Look into the server's log; with an authenticator set, create keyspaces with a session of your own.",
                    e);
        }
    }

    static void drop(String name, InetSocketAddress node) {
        try {
            execute(node, "DROP KEYSPACE IF EXISTS \"" + mustBeValid(name) + '"');
        } catch (IOException e) {
            throw new EmbeddedCassandraException(
                    STATEMENT_FAILED,
                    "Cannot drop the keyspace " + name + ": " + e.getMessage(),
                    "Look into the server's log.",
                    e);
        }
    }

    /** A name that Cassandra takes, made of any text: lower case, 48 characters at most. */
    static String nameOf(String text) {
        String name =
                text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_").replaceAll("^_+|_+$", "");
        String safe = name.isEmpty() || !Character.isLetter(name.charAt(0)) ? "k" + name : name;
        return safe.substring(0, Math.min(48, safe.length()));
    }

    static String mustBeValid(String name) {
        if (!name.matches("[a-zA-Z0-9_]{1,48}")) {
            throw new EmbeddedCassandraException(
                    EmbeddedCassandraException.Reason.INVALID_OPTION,
                    "'" + name + "' is not a keyspace name",
                    "Use 1 to 48 letters, digits and underscores.");
        }
        return name;
    }

    private static void execute(InetSocketAddress node, String cql) throws IOException {
        try (CqlConnection connection = CqlConnection.open(node)) {
            connection.execute(cql, CqlConnection.Level.ONE);
        }
    }

    /** Another node learns of it a moment later. */
    private static void awaitKeyspace(InetSocketAddress node, String name) throws IOException {
        long start = System.nanoTime();
        while (true) {
            try {
                execute(node, "USE \"" + name + '"');
                return;
            } catch (CqlConnection.RefusedException e) {
                if (System.nanoTime() - start > AGREEMENT_NANOS) {
                    throw e;
                }
                NodeLauncher.sleep();
            }
        }
    }
}
