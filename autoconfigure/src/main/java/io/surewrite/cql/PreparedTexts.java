package io.surewrite.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.Map;
import org.springframework.data.cassandra.core.CassandraTemplate.PreparedStatementHandler;
import org.springframework.data.cassandra.core.cql.PreparedStatementCreator;
import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * Prepares texts as Spring Data does, without making the same statement for it anew on every call, and for the
 * {@link WriteScope} of the calling thread.
 */
final class PreparedTexts {

    /** Given up when memory is short. */
    private final Map<String, PreparedStatementCreator> creators = new ConcurrentReferenceHashMap<>();

    /**
     * What prepares instead.
     *
     * @param creator prepares a text and nothing else if it is Spring Data's own; any other one stays
     */
    PreparedStatementCreator insteadOf(PreparedStatementCreator creator) {
        if (creator.getClass() != PreparedStatementHandler.class) {
            return creator;
        }
        String cql = ((PreparedStatementHandler) creator).getCql();
        PreparedStatementCreator known = creators.get(cql);
        return known != null ? known : creators.computeIfAbsent(cql, Text::of);
    }

    private record Text(SimpleStatement statement, boolean mayBeConditional) implements PreparedStatementCreator {

        static Text of(String cql) {
            SimpleStatement statement = SimpleStatement.newInstance(cql);
            return new Text(statement, StatementText.mayBeConditional(statement));
        }

        @Override
        public PreparedStatement createPreparedStatement(CqlSession session) {
            PreparedStatement prepared = session.prepare(statement);
            WriteScope scope = WriteScope.current();
            return scope == null || mayBeConditional ? prepared : new StampedStatement(prepared, scope.timestamp());
        }
    }
}
