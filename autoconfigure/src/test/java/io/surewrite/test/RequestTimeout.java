package io.surewrite.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Duration;
import org.springframework.boot.cassandra.autoconfigure.CassandraProperties;
import org.springframework.context.ApplicationContext;

/** How long the driver waits for an answer: briefly, but not at the start, which may take its time on a busy machine. */
public final class RequestTimeout {

    private RequestTimeout() {}

    /** Changes it in an application that runs. */
    public static void set(ApplicationContext application, Duration timeout) {
        application.getBean(CassandraProperties.class).getRequest().setTimeout(timeout);
        assertThat(application
                        .getBean(CqlSession.class)
                        .getContext()
                        .getConfigLoader()
                        .reload()
                        .toCompletableFuture()
                        .join())
                .isTrue();
    }
}
