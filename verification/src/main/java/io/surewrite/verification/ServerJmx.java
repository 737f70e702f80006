package io.surewrite.verification;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.surewrite.embedded.CassandraNode;
import io.surewrite.embedded.EmbeddedCassandra;
import java.io.IOException;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Does to a node on this machine what an operator does with nodetool. */
public final class ServerJmx implements AutoCloseable {

    private final JMXConnector connector;
    private final MBeanServerConnection server;

    private ServerJmx(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.server = connector.getMBeanServerConnection();
    }

    /**
     * Connects to a node.
     *
     * @param pid of its process
     * @return the connection
     * @throws IOException if it does not answer
     * @throws AttachNotSupportedException if it is no JVM of this kind
     */
    @SuppressWarnings("BanJNDI") // it connects to a server that this program has started itself
    public static ServerJmx attach(long pid) throws IOException, AttachNotSupportedException {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        try {
            return new ServerJmx(JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
        } finally {
            machine.detach();
        }
    }

    /**
     * Has every node use another variant of Paxos from now on.
     *
     * @param cluster the nodes, while nobody writes
     * @param variant {@code v1} or {@code v2}
     * @throws IOException if one does not answer
     * @throws AttachNotSupportedException if one is no JVM of this kind
     * @throws JMException if one refuses
     */
    public static void usePaxos(EmbeddedCassandra cluster, String variant)
            throws IOException, AttachNotSupportedException, JMException {
        for (CassandraNode node : cluster.nodes()) {
            try (ServerJmx jmx = attach(node.pid())) {
                jmx.server.setAttribute(
                        new ObjectName("org.apache.cassandra.db:type=StorageProxy"),
                        new Attribute("PaxosVariant", variant));
            }
        }
    }

    /**
     * Writes what a keyspace has in memory to disk.
     *
     * @param keyspace its name
     * @throws IOException if the node does not answer
     * @throws JMException if it refuses
     */
    public void flush(String keyspace) throws IOException, JMException {
        server.invoke(
                new ObjectName("org.apache.cassandra.db:type=StorageService"),
                "forceKeyspaceFlush",
                new Object[] {keyspace, new String[0]},
                new String[] {String.class.getName(), String[].class.getName()});
    }

    /**
     * Compacts each table of a keyspace into one file.
     *
     * @param keyspace its name
     * @throws IOException if the node does not answer
     * @throws JMException if it refuses
     */
    public void compact(String keyspace) throws IOException, JMException {
        server.invoke(
                new ObjectName("org.apache.cassandra.db:type=StorageService"),
                "forceKeyspaceCompaction",
                new Object[] {false, keyspace, new String[0]},
                new String[] {boolean.class.getName(), String.class.getName(), String[].class.getName()});
    }

    /**
     * {@return how many bytes a table's files have}
     *
     * @param keyspace of the table
     * @param table its name
     * @throws IOException if the node does not answer
     * @throws JMException if it does not know
     */
    public long bytesOnDisk(String keyspace, String table) throws IOException, JMException {
        return count("org.apache.cassandra.metrics:type=Table,keyspace=" + keyspace + ",scope=" + table
                + ",name=LiveDiskSpaceUsed");
    }

    /**
     * {@return what the node itself has spent on reading a table so far}
     *
     * @param keyspace of the table
     * @param table its name
     * @throws IOException if the node does not answer
     * @throws JMException if it does not know
     */
    public Reads reads(String keyspace, String table) throws IOException, JMException {
        String metric =
                "org.apache.cassandra.metrics:type=Table,keyspace=" + keyspace + ",scope=" + table + ",name=Read";
        return new Reads(count(metric + "TotalLatency"), count(metric + "Latency"));
    }

    private long count(String metric) throws IOException, JMException {
        return ((Number) server.getAttribute(new ObjectName(metric), "Count")).longValue();
    }

    /**
     * Reads of a table, as nodetool's statistics count them: without what a client, the network and a coordinator add.
     *
     * @param micros what they took together
     * @param count how many they were
     */
    public record Reads(long micros, long count) {

        /**
         * {@return how long one took on average since then, in milliseconds}
         *
         * @param before what was counted then
         */
        public double meanMillisSince(Reads before) {
            return (micros - before.micros) / 1000.0 / (count - before.count);
        }
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
