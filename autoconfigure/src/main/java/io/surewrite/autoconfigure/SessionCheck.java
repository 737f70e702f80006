package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.SureSessionBuilder;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Looks at every session once it is there, whoever made it, and warns where reads and writes would be less sure than they can
 * be. It asks the server nothing.
 */
final class SessionCheck implements BeanPostProcessor {

    /** What to do about a session of the plain driver. */
    static final String FIX = """
            Fix: build it from the injected CqlSessionBuilder, or, if it has another origin, \
            with SureSessionBuilder.from(CqlSession.builder()...).build(); in an AbstractCassandraConfiguration, override \
            getSessionBuilderConfigurer() to return SureSessionBuilder::from""";

    private static final Logger log = LoggerFactory.getLogger(SessionCheck.class);

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof CqlSession session) {
            List<String> findings = findings(session);
            if (!findings.isEmpty()) {
                log.warn(
                        "The Cassandra session '{}' makes writes less sure:\n - {}",
                        beanName,
                        String.join("\n - ", findings));
            }
            if (!SureSessionBuilder.built(session)) {
                AlteredTables.watch(session, beanName);
            }
        }
        return bean;
    }

    private static List<String> findings(CqlSession session) {
        List<String> findings = new ArrayList<>();
        if (!SureSessionBuilder.built(session)) {
            findings.add(plainSession(session));
        }
        DriverConfig config = session.getContext().getConfig();
        if (config.getProfiles().containsKey(ConditionalWrites.PROFILE)) {
            findings.addAll(ConditionalProfileCheck.findings(config.getProfile(ConditionalWrites.PROFILE)));
        }
        return findings;
    }

    private static String plainSession(CqlSession session) {
        ProtocolVersion version = session.getContext().getProtocolVersion();
        String loses = version == DefaultProtocolVersion.V5 || version == DefaultProtocolVersion.V6
                ? " it drops the connection, and every request on it, when a conditional write times out under contention;"
                : "";
        return """
                It was built by the plain driver, and speaks protocol %s:%s after a column is added to a table or dropped, it \
                may read values under the wrong column, and what saves them again makes that permanent. %s""".formatted(version, loses, FIX);
    }
}
