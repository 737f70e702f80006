package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/** Measures clocks, and reports when they are wrong. */
@AutoConfiguration(after = CassandraAutoConfiguration.class)
@ConditionalOnClass(CqlSession.class)
@EnableConfigurationProperties(ClockProperties.class)
@Import(ClockGuards.class)
public final class SurewriteClockAutoConfiguration {}
