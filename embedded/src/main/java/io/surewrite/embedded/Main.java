package io.surewrite.embedded;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/** Runs a server by hand: {@code --version V --nodes N --directory D --port P --java-home J}; Ctrl-C stops it. */
public final class Main {

    private static final String USAGE = """
            Starts Apache Cassandra for development and prints where it answers; Ctrl-C stops it.
              --version V      of Cassandra (default %s)
              --nodes N        1 to %d, on 127.0.0.1 and up (default 1)
              --directory D    keeps the data there (default: a temporary directory)
              --port P         for clients (default: a free one)
              --java-home J    the JDK to run it on (default: one that is found)
              --keyspace K     creates this keyspace
            """.formatted(Options.DEFAULT_VERSION, Options.MOST_NODES);

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
        int exit = run(List.of(args));
        if (exit != 0) {
            System.exit(exit);
        }
    }

    private static int run(List<String> args) {
        try {
            EmbeddedCassandra server = start(args.iterator());
            System.out.printf("Apache Cassandra %s answers at:%n", server.version());
            server.nodes()
                    .forEach(node -> System.out.println(
                            "  " + node.address().getAddress().getHostAddress() + ":"
                                    + node.address().getPort() + " (process " + node.pid() + ")"));
            System.out.println("Local datacenter: " + server.localDatacenter() + ". Ctrl-C stops it.");
            Thread.currentThread().join(); // The shutdown hook ends the server.
            return 0;
        } catch (EmbeddedCassandraException e) {
            System.err.println(e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            return 0;
        }
    }

    private static EmbeddedCassandra start(Iterator<String> args) {
        EmbeddedCassandraBuilder builder = EmbeddedCassandra.builder();
        String keyspace = null;
        while (args.hasNext()) {
            String option = args.next();
            if (!args.hasNext()) {
                throw usage("Option " + option + " needs a value");
            }
            String value = args.next();
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
