package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.alledeals.demo.EmbeddedServer;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.WriteListener;
import io.surewrite.cql.settle.SettlingConditionalWrites;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Puts the bad network between the conditional writes and the database, if the Lab is open. It is a good one until the Lab
 * says otherwise.
 */
@Configuration(proxyBeanMethods = false)
class LabConfiguration implements DisposableBean {

    private final ScheduledExecutorService settling = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "alledeals-settling");
        thread.setDaemon(true);
        return thread;
    });

    @Bean
    ConditionalWrites conditionalWrites(
            CqlSession session, BadNetwork network, LabSwitch lab, ObjectProvider<WriteListener> listeners) {
        return SettlingConditionalWrites.on(
                lab.isOpen() ? network.before(session) : session,
                settling,
                WriteListener.all(listeners.orderedStream().toList()));
    }

    /** The embedded server can be stopped; nobody wants to stop another one from a page. */
    @Bean
    DatabaseSwitch databaseSwitch(CassandraConnectionDetails server) {
        return EmbeddedServer.isMeantBy(server) ? EmbeddedDatabase.of(server) : DatabaseSwitch.NONE;
    }

    @Override
    public void destroy() {
        settling.shutdown();
    }
}
