package io.surewrite.verification.overwrite;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Does to a node on this machine what an operator does with nodetool. */
final class ServerJmx implements AutoCloseable {

    private final JMXConnector connector;
    private final MBeanServerConnection server;

    private ServerJmx(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.server = connector.getMBeanServerConnection();
    }

    @SuppressWarnings("BanJNDI") // it connects to a server that this program has started itself
    static ServerJmx attach(long pid) throws IOException, AttachNotSupportedException {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        try {
            return new ServerJmx(JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
        } finally {
            machine.detach();
        }
    }

    void flush(String keyspace) throws IOException, JMException {
        server.invoke(
                new ObjectName("org.apache.cassandra.db:type=StorageService"),
                "forceKeyspaceFlush",
                new Object[] {keyspace, new String[0]},
                new String[] {String.class.getName(), String[].class.getName()});
    }

    void compact(String keyspace) throws IOException, JMException {
        server.invoke(
                new ObjectName("org.apache.cassandra.db:type=StorageService"),
                "forceKeyspaceCompaction",
                new Object[] {false, keyspace, new String[0]},
                new String[] {boolean.class.getName(), String.class.getName(), String[].class.getName()});
    }

    long bytesOnDisk(String keyspace, String table) throws IOException, JMException {
        ObjectName metric = new ObjectName("org.apache.cassandra.metrics:type=Table,keyspace=" + keyspace + ",scope="
                + table + ",name=LiveDiskSpaceUsed");
        return ((Number) server.getAttribute(metric, "Count")).longValue();
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
