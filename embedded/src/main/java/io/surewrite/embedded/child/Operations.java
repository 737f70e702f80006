package io.surewrite.embedded.child;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Does to this server what an operator does with {@code nodetool}, by the same MBean. Each operation has a thread of its own:
 * a repair that takes long must not keep the parent from stopping the server.
 */
final class Operations {

    private static final long BETWEEN_LOOKS_MILLIS = 50;

    private Operations() {}

    /**
     * Obeys the parent, and says when it is done.
     *
     * @param command {@code OPERATION ARGUMENT FILE}: the file is made when it is done, with what there is to say
     */
    static void obey(String command) {
        String[] parts = command.split(" ", 3);
        Path done = Path.of(parts[2]);
        Thread thread = new Thread(() -> answer(parts[0], parts[1], done), "surewrite-" + parts[0]);
        thread.setDaemon(true);
        thread.start();
    }

    private static void answer(String operation, String argument, Path done) {
        try {
            Reply.to(done, () -> operate(operation, argument));
        } catch (IOException e) {
            System.err.println("Cannot answer the parent: " + e);
        }
    }

    private static String operate(String operation, String argument) throws JMException, InterruptedException {
        switch (operation) {
            case "ring":
                return ring();
            case "drain":
                invoke("drain", List.of());
                return "";
            case "decommission":
                invoke("decommission", List.of(boolean.class), false);
                return "";
            case "cleanup":
                cleanup(argument);
                return "";
            case "repair":
                repair(argument, Map.of("repairPaxos", "true"));
                return "";
            case "repair-live":
                repair(argument, Map.of("repairPaxos", "true", "forceRepair", "true"));
                return "";
            case "repair-paxos":
                repair(argument, Map.of("paxosOnly", "true"));
                return "";
            default:
                throw new IllegalArgumentException("There is no operation " + operation);
        }
    }

    /** Three lines: the nodes that have a part of the ring, those that this one takes for alive, those that come or go. */
    private static String ring() throws JMException {
        Map<?, ?> owners = (Map<?, ?>) attribute("TokenToEndpointMap");
        List<Object> changing = new ArrayList<>();
        for (String state : List.of("JoiningNodes", "LeavingNodes", "MovingNodes")) {
            changing.addAll((List<?>) attribute(state));
        }
        return String.join("\n", line(owners.values()), line((List<?>) attribute("LiveNodes")), line(changing));
    }

    private static String line(Iterable<?> nodes) {
        List<String> names = new ArrayList<>();
        nodes.forEach(node -> names.add(String.valueOf(node)));
        return String.join(",", names);
    }

    private static void cleanup(String keyspace) throws JMException {
        Object status = invoke(
                "forceKeyspaceCleanup", List.of(int.class, String.class, String[].class), 1, keyspace, new String[0]);
        if (!Integer.valueOf(0).equals(status)) {
            throw new IllegalStateException("The cleanup ended with status " + status);
        }
    }

    private static void repair(String keyspace, Map<String, String> how) throws JMException, InterruptedException {
        Map<String, String> options = new HashMap<>(how);
        options.put("parallelism", "parallel");
        options.put("incremental", "false");
        Object number = invoke("repairAsync", List.of(String.class, Map.class), keyspace, options);
        if (Integer.valueOf(0).equals(number)) {
            return; // One replica has nothing to compare with.
        }
        while (true) {
            List<?> status = (List<?>) invoke("getParentRepairStatus", List.of(int.class), number);
            if (status != null && status.contains("COMPLETED")) {
                return;
            }
            if (status != null && !status.contains("IN_PROGRESS")) {
                throw new IllegalStateException("The repair has failed: " + status);
            }
            Thread.sleep(BETWEEN_LOOKS_MILLIS);
        }
    }

    private static Object attribute(String name) throws JMException {
        return ManagementFactory.getPlatformMBeanServer().getAttribute(service(), name);
    }

    private static Object invoke(String name, List<Class<?>> types, Object... arguments) throws JMException {
        return ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        service(),
                        name,
                        arguments,
                        types.stream().map(Class::getName).toArray(String[]::new));
    }

    private static ObjectName service() throws JMException {
        return new ObjectName("org.apache.cassandra.db:type=StorageService");
    }
}
