package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import io.surewrite.cql.ConditionalWrites;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Looks at every session once it is there, whoever made it, and warns where writes would be less sure than they can be.
 * It asks the server nothing.
 */
final class SessionCheck implements BeanPostProcessor {

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
        }
        return bean;
    }

    private static List<String> findings(CqlSession session) {
        List<String> findings = new ArrayList<>();
        ProtocolVersion version = session.getContext().getProtocolVersion();
        if (version == DefaultProtocolVersion.V5 || version == DefaultProtocolVersion.V6) {
            findings.add("""
                It speaks protocol %s, whose decoder in this driver drops the connection, and every request on it, \
                when a conditional write times out under contention. \
                Mend: datastax-java-driver.advanced.protocol.version = %s\
                """.formatted(version, SessionDefaults.PROTOCOL));
        }
        DriverConfig config = session.getContext().getConfig();
        if (config.getProfiles().containsKey(ConditionalWrites.PROFILE)) {
            findings.addAll(ConditionalProfileCheck.findings(config.getProfile(ConditionalWrites.PROFILE)));
        }
        return findings;
    }
}
