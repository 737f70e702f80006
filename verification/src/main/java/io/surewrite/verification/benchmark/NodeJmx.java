package io.surewrite.verification.benchmark;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Does to a node on this machine what an operator does with nodetool. */
final class NodeJmx implements AutoCloseable {

    private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";

    private final JMXConnector connector;
    private final MBeanServerConnection server;

    private NodeJmx(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.server = connector.getMBeanServerConnection();
    }

    @SuppressWarnings("BanJNDI") // it connects to a server that this program has started itself
    static NodeJmx attach(long pid) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        try {
            return new NodeJmx(JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
        } finally {
            machine.detach();
        }
    }

    /** Writes what a keyspace has in memory to disk. */
    void flush(String keyspace) throws IOException, JMException {
        server.invoke(
                new ObjectName(STORAGE), "forceKeyspaceFlush", new Object[] {keyspace, new String[0]}, new String[] {
                    String.class.getName(), String[].class.getName()
                });
    }

    /** Compacts each table of a keyspace into one file. */
    void compact(String keyspace) throws IOException, JMException {
        server.invoke(
                new ObjectName(STORAGE),
                "forceKeyspaceCompaction",
                new Object[] {false, keyspace, new String[0]},
                new String[] {boolean.class.getName(), String.class.getName(), String[].class.getName()});
    }

    /** {@return how many bytes a table's files have} */
    double bytesOnDisk(String keyspace, String table) throws IOException, JMException {
        ObjectName metric = new ObjectName("org.apache.cassandra.metrics:type=Table,keyspace=" + keyspace + ",scope="
                + table + ",name=LiveDiskSpaceUsed");
        return ((Number) server.getAttribute(metric, "Count")).doubleValue();
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
