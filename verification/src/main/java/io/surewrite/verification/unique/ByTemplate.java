package io.surewrite.verification.unique;

import io.surewrite.cql.ConditionalWrites;
import java.util.UUID;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/** The two statements of {@link HandWritten#insert} as one sends them with Spring Data's template. */
final class ByTemplate {

    private static final InsertOptions CLAIM = InsertOptions.builder()
            .executionProfile(ConditionalWrites.PROFILE)
            .withIfNotExists()
            .build();
    private static final InsertOptions ROW =
            InsertOptions.builder().executionProfile(ConditionalWrites.PROFILE).build();

    /** A value and the row that has it. */
    @Table("plain_claim")
    record Claim(@PrimaryKey String login, UUID owner) {}

    /** A row. */
    @Table("plain_member")
    record Member(@PrimaryKey UUID id, String login, String email, String city) {}

    private final CassandraOperations template;

    /**
     * @param template on the tables of {@link HandWritten}
     */
    ByTemplate(CassandraOperations template) {
        this.template = template;
    }

    void insert(UUID id, String login) {
        if (!template.insert(new Claim(login, id), CLAIM).wasApplied()) {
            throw new IllegalStateException("Another has the value");
        }
        template.insert(new Member(id, login, login + "@example.org", "Wien"), ROW);
    }
}
