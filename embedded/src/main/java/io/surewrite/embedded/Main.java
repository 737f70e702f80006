package io.surewrite.embedded;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs a server by hand: {@code --version V --nodes N --directory D --port P --java-home J}; Ctrl-C stops it. With
 * {@code --execute CQL} it asks one that runs.
 */
public final class Main {

    private static final String USAGE = """
            Starts Apache Cassandra for development and prints where it answers; Ctrl-C stops it.
              --version V      of Cassandra (default %s)
              --nodes N        1 to %d, on 127.0.0.1 and up (default 1)
              --directory D    keeps the data there (default: a temporary directory)
              --port P         for clients (default: a free one)
              --java-home J    the JDK to run it on (default: one that is found)
              --keyspace K     creates this keyspace
            With --execute CQL it starts nothing: the server at --port does that, in --keyspace if there is one, and each row
            is printed on a line, those of a SELECT in JSON.
            """.formatted(Options.DEFAULT_VERSION, Options.MOST_NODES);

    /** The server makes texts of values of each type, as long as it is asked for JSON. */
    private static final Pattern SELECT = Pattern.compile("^\\s*SELECT\\s+(?!JSON\\s)", Pattern.CASE_INSENSITIVE);

    private Main() {}

    /**
     * Runs until it is interrupted.
     *
     * @param args see {@code --help}
     */
    public static void main(String[] args) {
        if (List.of(args).contains("--help")) {
            System.out.print(USAGE);
            return;
        }
        int exit = run(List.of(args), System.out, System.err);
        if (exit != 0) {
            System.exit(exit);
        }
    }

    static int run(List<String> args, PrintStream out, PrintStream err) {
        try {
            if (args.contains("--execute")) {
                execute(args.iterator(), out);
                return 0;
            }
            EmbeddedCassandra server = start(args.iterator());
            out.printf("Apache Cassandra %s answers at:%n", server.version());
            server.nodes()
                    .forEach(node ->
                            out.println("  " + node.address().getAddress().getHostAddress() + ":"
                                    + node.address().getPort() + " (process " + node.pid() + ")"));
            out.println("Local datacenter: " + server.localDatacenter() + ". Ctrl-C stops it.");
            Thread.currentThread().join(); // The shutdown hook ends the server.
            return 0;
        } catch (EmbeddedCassandraException e) {
            err.println(e.getMessage());
            return 1;
        } catch (IOException e) {
            err.println("The server did not do that: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            return 0;
        }
    }

    private static void execute(Iterator<String> args, PrintStream out) throws IOException {
        String cql = "";
        String keyspace = null;
        int port = 0;
        while (args.hasNext()) {
            String option = args.next();
            String value = value(option, args);
            switch (option) {
                case "--execute" -> cql = value;
                case "--port" -> port = number(option, value);
                case "--keyspace" -> keyspace = value;
                default -> throw usage("There is no option " + option + " beside --execute");
            }
        }
        if (port == 0) {
            throw usage("Option --execute needs the --port of a server that runs");
        }
        try (CqlConnection connection =
                CqlConnection.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            if (keyspace != null) {
                connection.execute("USE \"" + keyspace.replace("\"", "\"\"") + "\"", CqlConnection.Level.ONE);
            }
            connection
                    .query(SELECT.matcher(cql).replaceFirst("SELECT JSON "), CqlConnection.Level.ONE)
                    .forEach(row -> out.println(String.join(" | ", row)));
        }
    }

    private static EmbeddedCassandra start(Iterator<String> args) {
        EmbeddedCassandraBuilder builder = EmbeddedCassandra.builder();
        String keyspace = null;
        while (args.hasNext()) {
            String option = args.next();
            String value = value(option, args);
            switch (option) {
                case "--version" -> builder.version(value);
                case "--nodes" -> builder.nodes(number(option, value));
                case "--directory" -> builder.directory(Path.of(value));
                case "--port" -> builder.port(number(option, value));
                case "--java-home" -> builder.javaHome(Path.of(value));
                case "--keyspace" -> keyspace = value;
                default -> throw usage("There is no option " + option);
            }
        }
        EmbeddedCassandra server = builder.start();
        if (keyspace != null) {
            server.createKeyspace(keyspace);
        }
        return server;
    }

    private static String value(String option, Iterator<String> args) {
        if (!args.hasNext()) {
            throw usage("Option " + option + " needs a value");
        }
        return args.next();
    }

    private static int number(String option, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw usage("Option " + option + " needs a number, not " + value);
        }
    }

    private static EmbeddedCassandraException usage(String message) {
        return new EmbeddedCassandraException(EmbeddedCassandraException.Reason.INVALID_OPTION, message, USAGE);
    }
}
