package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.lease.WithLease;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.unique.UniqueBy;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** One property leaves an application as it would be without us. */
class SwitchedOffIntegrationTests extends CassandraTest {

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE off_note (id uuid PRIMARY KEY, text text)");
    }

    @Test
    void leavesAnnotationsWithoutAnEffect() {
        OwnServer.with(OffNotes.class, application())
                .withPropertyValues("surewrite.enabled=false")
                .withBean(Job.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(AopUtils.isAopProxy(context.getBean(Job.class))).isFalse();
                    OffNotes notes = context.getBean(OffNotes.class);
                    notes.save(new Note(UUID.randomUUID(), "same"));
                    notes.save(new Note(UUID.randomUUID(), "same"));
                    assertThat(notes.findAll()).hasSize(2);
                });
    }

    @Table("off_note")
    record Note(@PrimaryKey UUID id, String text) {}

    @UniqueBy("text")
    @Idempotent
    interface OffNotes extends CassandraRepository<Note, UUID> {}

    static class Job {

        @WithLease("off")
        public void run() {}
    }
}
