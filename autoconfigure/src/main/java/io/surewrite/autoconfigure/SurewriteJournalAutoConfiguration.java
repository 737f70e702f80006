package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.internal.session.ScopedCqlSession;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.write.ConditionalWrites;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.cql.CqlTemplate;

/** The attribute journal and its tables. */
@OnStart(OnStart.Mode.REFUSE)
@AutoConfiguration(after = {SurewriteCqlAutoConfiguration.class, SurewriteSchemaAutoConfiguration.class})
@ConditionalOnClass({CqlSession.class, CqlOperations.class})
@ConditionalOnBooleanProperty("surewrite.journal.enabled")
@EnableConfigurationProperties(JournalProperties.class)
public final class SurewriteJournalAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean({CqlSession.class, ConditionalWrites.class, SurewriteSchema.class})
    AttributeJournal surewriteAttributeJournal(SessionSets sessions) {
        return sessions.ofPrimary(AttributeJournal.class, SurewriteJournalAutoConfiguration::journal);
    }

    /** Its template is its own: one of the application's may send to another session. */
    static AttributeJournal journal(SessionSets.Shared on) {
        on.requireSureWrites("The attribute journal");
        List<String> tables = on.schema().tables("journal", "journal_state");
        return on.bean(JournalProperties.class)
                .settings()
                .journal(
                        on.session(),
                        new CqlTemplate(ScopedCqlSession.of(on.session())),
                        on.writes(),
                        tables.get(0),
                        tables.get(1));
    }
}
