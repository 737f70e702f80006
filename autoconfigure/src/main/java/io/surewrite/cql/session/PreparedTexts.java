package io.surewrite.cql.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.cql.SentWrites;
import io.surewrite.cql.WriteScope;
import java.util.Map;
import org.springframework.data.cassandra.core.CassandraTemplate.PreparedStatementHandler;
import org.springframework.data.cassandra.core.cql.CqlProvider;
import org.springframework.data.cassandra.core.cql.PreparedStatementCreator;
import org.springframework.util.ConcurrentReferenceHashMap;

/** Prepares texts as Spring Data does, without making the same statement for it anew on every call. */
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
        return known != null ? known : creators.computeIfAbsent(cql, PreparedTexts::prepares);
    }

    private static PreparedStatementCreator prepares(String cql) {
        SimpleStatement statement = SimpleStatement.newInstance(cql);
        return new Recalling(cql, session -> session.prepare(statement));
    }

    /**
     * Prepares, and makes do with what was prepared before if that fails.
     *
     * @param getCql the text
     * @param creator prepares it
     */
    record Recalling(String getCql, PreparedStatementCreator creator) implements PreparedStatementCreator, CqlProvider {

        @Override
        public PreparedStatement createPreparedStatement(CqlSession session) {
            try {
                return creator.createPreparedStatement(session);
            } catch (RuntimeException failure) { // some errors of a node are no DriverException here
                PreparedStatement recalled =
                        SentWrites.preparedBefore(WriteScope.current(), getCql, session.getContext(), failure);
                if (recalled == null) {
                    throw failure;
                }
                return recalled;
            }
        }
    }
}
