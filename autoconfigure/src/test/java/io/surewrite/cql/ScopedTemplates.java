package io.surewrite.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import org.springframework.data.cassandra.core.AsyncCassandraTemplate;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.convert.MappingCassandraConverter;
import org.springframework.data.cassandra.core.cql.ReactiveCqlTemplate;
import org.springframework.data.cassandra.core.cql.session.DefaultBridgedReactiveSession;
import org.springframework.data.cassandra.core.cql.session.DefaultReactiveSessionFactory;
import org.springframework.data.cassandra.core.cql.session.DefaultSessionFactory;

/** The three templates as the auto-configuration puts them together. */
record ScopedTemplates(
        CassandraTemplate blocking,
        AsyncCassandraTemplate async,
        ReactiveCassandraTemplate reactive,
        ScopedReactiveSession reactiveSession) {

    static ScopedTemplates of(CqlSession session) {
        DefaultSessionFactory sessions = new DefaultSessionFactory(session);
        MappingCassandraConverter converter = new MappingCassandraConverter();
        converter.setCodecRegistry(session.getContext().getCodecRegistry());
        converter.afterPropertiesSet();
        ScopedReactiveSession reactive = new ScopedReactiveSession(new DefaultBridgedReactiveSession(session));
        return new ScopedTemplates(
                new CassandraTemplate(new ScopedCqlTemplate(sessions), converter),
                new AsyncCassandraTemplate(new ScopedAsyncCqlTemplate(sessions), converter),
                new ReactiveCassandraTemplate(
                        new ReactiveCqlTemplate(new DefaultReactiveSessionFactory(reactive)), converter),
                reactive);
    }
}
