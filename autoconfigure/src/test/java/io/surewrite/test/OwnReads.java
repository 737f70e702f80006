package io.surewrite.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import java.util.List;
import java.util.Objects;

/** What the starter's own reads ask the server for, and whether their answers bring the columns along (decision 82). */
public final class OwnReads {

    /** After a text of ours, it is another statement to the server, of which nothing is known here. */
    private static final String UNKNOWN = " ";

    private OwnReads() {}

    /** Each text once that was prepared by a session in this keyspace. They come in the order of a hash, so in no order. */
    public static List<String> prepared(CqlSession session) {
        String keyspace = session.getKeyspace().orElseThrow().asInternal();
        return session.execute("SELECT logged_keyspace, query_string FROM system.prepared_statements").all().stream()
                .filter(row -> keyspace.equals(row.getString("logged_keyspace")))
                .map(row -> Objects.requireNonNull(row.getString("query_string")))
                .filter(query -> !query.endsWith(UNKNOWN))
                .toList();
    }

    public static void assertComesWithoutColumns(CqlSession session, String query, Object... key) {
        assertThat(answerSize(session, query, key)).isLessThan(answerSize(session, query + UNKNOWN, key));
    }

    private static int answerSize(CqlSession session, String query, Object... key) {
        ResultSet answer = session.execute(session.prepare(query).bind(key));
        assertThat(answer.getAvailableWithoutFetching()).as(query).isPositive();
        return answer.getExecutionInfo().getResponseSizeInBytes();
    }
}
