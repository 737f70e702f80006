package io.surewrite.unique;

import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.CONNECTION_MAX_ORPHAN_REQUESTS;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.CONNECTION_WARN_INIT_ERROR;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_TIMEOUT;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.RETRY_POLICY_CLASS;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.TIMESTAMP_GENERATOR_CLASS;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.NeverRetryPolicy;
import io.surewrite.write.SureSessionBuilder;
import io.surewrite.write.WriteTimestamps;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** A session configured as the starter does it, without Spring. */
final class PlainSession {

    private static final int AS_MANY_AS_THERE_ARE = 10_000;

    private PlainSession() {}

    /** Opens one with a time-out of conditional writes, and of all else that runs in their profile. */
    static CqlSession open(int port, String datacenter, String keyspace, Duration requestTimeout) {
        return SureSessionBuilder.from(CqlSession.builder())
                .addContactPoint(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .withLocalDatacenter(datacenter)
                .withKeyspace(keyspace)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withClass(TIMESTAMP_GENERATOR_CLASS, WriteTimestamps.class)
                        .withStringList(METADATA_SCHEMA_REFRESHED_KEYSPACES, List.of(keyspace))
                        .withBoolean(CONNECTION_WARN_INIT_ERROR, false)
                        .withInt(CONNECTION_MAX_ORPHAN_REQUESTS, AS_MANY_AS_THERE_ARE)
                        .withDuration(REQUEST_TIMEOUT, Duration.ofSeconds(20))
                        .startProfile(ConditionalWrites.PROFILE)
                        .withDuration(REQUEST_TIMEOUT, requestTimeout)
                        .withString(REQUEST_CONSISTENCY, "QUORUM")
                        .withString(REQUEST_SERIAL_CONSISTENCY, "SERIAL")
                        .withClass(RETRY_POLICY_CLASS, NeverRetryPolicy.class)
                        .endProfile()
                        .build())
                .build();
    }
}
