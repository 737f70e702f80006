package io.surewrite.overwrite;

import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.internal.session.ScopedCqlSession;
import io.surewrite.internal.session.StatementGuards;
import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.convert.MappingCassandraConverter;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.SimpleUserTypeResolver;

/** Overwrites by hand, without an application around them. */
record OverwriteFixture(Overwrites factory, CassandraTemplate template, RowOverwrites overwrites) {

    static OverwriteFixture on(CqlSession session) {
        StaticApplicationContext context = new StaticApplicationContext();
        context.refresh();
        CassandraMappingContext mapping = new CassandraMappingContext();
        mapping.setInitialEntitySet(Set.of());
        MappingCassandraConverter converter = new MappingCassandraConverter(mapping);
        converter.setCodecRegistry(() -> session.getContext().getCodecRegistry());
        converter.setUserTypeResolver(
                new SimpleUserTypeResolver(session, session.getKeyspace().orElseThrow()));
        converter.afterPropertiesSet();
        CassandraTemplate template = new CassandraTemplate(new CqlTemplate(ScopedCqlSession.of(session)), converter);
        WriteTimestamps timestamps = new WriteTimestamps(Clock.systemUTC());
        Overwrites factory =
                new Overwrites(session, converter, 1 << 20, timestamps, context, table -> {}, new StatementGuards());
        return new OverwriteFixture(factory, template, factory.rowOverwrites(template));
    }

    /** How many a read meets, as the server says in its trace, which is there a moment after the answer. */
    static long tombstones(CqlSession session, String cql, Object... values) {
        ExecutionInfo read = session.execute(
                        SimpleStatement.newInstance(cql, values).setTracing(true))
                .getExecutionInfo();
        Pattern said = Pattern.compile("Read \\d+ live rows and (\\d+) tombstone");
        return await().ignoreExceptions()
                .until(
                        () -> read.getQueryTrace().getEvents().stream()
                                .map(event -> said.matcher(String.valueOf(event.getActivity())))
                                .filter(Matcher::find)
                                .mapToLong(found -> Long.parseLong(found.group(1)))
                                .max(),
                        OptionalLong::isPresent)
                .getAsLong();
    }
}
