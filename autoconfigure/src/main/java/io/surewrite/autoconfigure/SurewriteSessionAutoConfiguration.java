package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/** Session defaults that sure writes need, each yielding to the user's own setting. */
@ConditionalOnBooleanProperty(name = "surewrite.enabled", matchIfMissing = true)
@AutoConfiguration(before = CassandraAutoConfiguration.class)
@ConditionalOnClass(CqlSession.class)
@EnableConfigurationProperties(ConditionalWriteProperties.class)
@Import({SessionCheck.class, SessionDefaults.class})
@ImportRuntimeHints(SurewriteRuntimeHints.class)
public final class SurewriteSessionAutoConfiguration {}
