package io.surewrite.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.List;
import org.springframework.data.cassandra.core.AsyncCassandraTemplate;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.convert.MappingCassandraConverter;
import org.springframework.data.cassandra.core.cql.session.DefaultBridgedReactiveSession;
import org.springframework.data.cassandra.core.cql.session.DefaultSessionFactory;

/** The three templates as the auto-configuration puts them together. */
record ScopedTemplates(
        CassandraTemplate blocking,
        AsyncCassandraTemplate async,
        ReactiveCassandraTemplate reactive,
        ScopedReactiveSession reactiveSession) {

    /** Spring Data's own templates, as an application may make them, brought into the scope. */
    static ScopedTemplates of(CqlSession session) {
        DefaultSessionFactory sessions = new DefaultSessionFactory(session);
        MappingCassandraConverter converter = new MappingCassandraConverter();
        converter.setCodecRegistry(session.getContext().getCodecRegistry());
        converter.afterPropertiesSet();
        CassandraTemplate blocking = new CassandraTemplate(sessions, converter);
        AsyncCassandraTemplate async = new AsyncCassandraTemplate(sessions, converter);
        DefaultBridgedReactiveSession reactiveSession = new DefaultBridgedReactiveSession(session);
        ReactiveCassandraTemplate reactive = new ReactiveCassandraTemplate(reactiveSession, converter);
        for (Object template : List.of(blocking, async, reactive)) {
            assertThat(TemplateScope.enter(template)).isTrue();
            assertThat(TemplateScope.enter(template)).as("twice").isTrue();
        }
        return new ScopedTemplates(blocking, async, reactive, new ScopedReactiveSession(reactiveSession));
    }
}
