package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import io.surewrite.unique.MemberTable.Operation;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What each operation sends, when nothing goes wrong: the costs in docs/unique.md. */
class RoundTripsIntegrationTests extends CassandraTest {

    private static final Pattern CONDITION = Pattern.compile("\\bIF\\b");
    private static final Queue<String> sent = new ConcurrentLinkedQueue<>();

    private static UniqueFixture fixture;
    private static MemberTable members;

    @BeforeAll
    static void createTable() {
        session.execute(MemberTable.DDL);
        var counted = Wire.between(session, (number, statement, request) -> {
            sent.add(kind(statement));
            return request.get();
        });
        fixture = new UniqueFixture(counted, ObservationRegistry.NOOP);
        members = new MemberTable(counted, fixture);
    }

    private static String kind(Statement<?> statement) {
        String cql = statement instanceof BoundStatement bound
                ? bound.getPreparedStatement().getQuery()
                : ((SimpleStatement) statement).getQuery();
        boolean conditional = CONDITION.matcher(cql).find();
        return cql.startsWith("SELECT") ? "read" : conditional ? "transaction" : "write";
    }

    @Test
    void areThoseOfTheProtocolAndNoMore() {
        UUID id = UUID.randomUUID();
        assertThat(sentBy(() -> members.run(Operation.INSERT, id, "first"))).containsExactly("transaction", "write");
        assertThat(sentBy(() -> members.run(Operation.CHANGE, id, "first"))).containsExactly("transaction", "write");
        assertThat(sentBy(() -> members.run(Operation.CHANGE, id, "first"))).containsExactly("transaction", "write");
        assertThat(sentBy(() -> members.run(Operation.CHANGE, id, "second")))
                .as("the read beside the second transaction")
                .containsExactlyInAnyOrder("transaction", "transaction", "read", "write", "transaction")
                .endsWith("write", "transaction");
        assertThat(sentBy(() -> assertThatThrownBy(() -> members.run(Operation.INSERT, UUID.randomUUID(), "second"))
                        .isInstanceOf(DuplicateValueException.class)))
                .containsExactly("transaction", "read");
        assertThat(sentBy(() -> assertThat(members.claimed("second")).contains(members.owner(id))))
                .containsExactly("read", "read");
        assertThat(sentBy(() -> members.run(Operation.DELETE, id, ""))).containsExactly("read", "write", "transaction");
        assertThat(sentBy(() -> members.run(Operation.CHANGE, id, "third")))
                .containsExactlyInAnyOrder("transaction", "transaction", "read", "write")
                .endsWith("write");
    }

    @Test
    void areMoreWhereTheRowIsClaimedToo() {
        CqlRows rows = fixture.rows("member", UniqueConstraint.on("member_both", "email", "phone"));
        UUID id = UUID.randomUUID();
        assertThat(sentBy(() -> fixture.insert(rows, both(rows, id, "1")))).containsExactly("transaction", "write");
        assertThat(sentBy(() -> fixture.change(rows, both(rows, id, "1"))))
                .as("the row has no claim yet")
                .containsExactly("transaction", "transaction", "transaction", "write");
        assertThat(sentBy(() -> fixture.change(rows, both(rows, id, "1"))))
                .containsExactly("transaction", "transaction", "write");
        assertThat(sentBy(() -> fixture.change(rows, both(rows, id, "2"))))
                .containsExactlyInAnyOrder("transaction", "transaction", "transaction", "read", "write", "transaction")
                .endsWith("write", "transaction");
        assertThat(sentBy(() -> fixture.delete(rows, members.owner(id))))
                .containsExactly("read", "write", "transaction", "transaction");
    }

    private static EntityWrite both(CqlRows rows, UUID id, String phone) {
        return fixture.write(rows, "member", "id", id, "email", "of both " + id, "phone", phone);
    }

    private static List<String> sentBy(Runnable action) {
        sent.clear();
        action.run();
        return List.copyOf(sent);
    }
}
