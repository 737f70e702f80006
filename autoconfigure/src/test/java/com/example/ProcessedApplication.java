package com.example;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.session.ScopedCqlSession;
import io.surewrite.retry.Idempotent;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;

/** One with a retried method, and beans that are given the session in each way that there is. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
    ProcessedApplication.Retried.class,
    ProcessedApplication.ByConstructor.class,
    ProcessedApplication.ByField.class,
    ProcessedApplication.Applying.class,
    ProcessedApplication.Scoping.class
})
public class ProcessedApplication {

    @Bean
    ByMethod byMethod(CqlSession session) {
        return new ByMethod(session);
    }

    public static class Retried {

        @Idempotent
        public void write() {}
    }

    public record ByMethod(CqlSession session) {}

    @Component("byConstructor")
    public record ByConstructor(CqlSession session) {}

    @Component("byField")
    public static class ByField {

        @Autowired
        CqlSession session;
    }

    @Component("applying")
    public record Applying(CqlSession session) {

        public boolean isThere() {
            return session.execute(WriteScope.apply(SimpleStatement.newInstance("SELECT key FROM system.local")))
                            .one()
                    != null;
        }
    }

    @Component("scoping")
    public static class Scoping {

        private final CqlSession scoped;

        public Scoping(CqlSession session) {
            this.scoped = ScopedCqlSession.of(session);
        }

        public boolean isThere() {
            return scoped.execute("SELECT key FROM system.local").one() != null;
        }
    }
}
