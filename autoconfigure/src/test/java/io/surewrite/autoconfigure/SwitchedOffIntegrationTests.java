package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.lease.WithLease;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.unique.UniqueBy;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
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
    void leavesNoBean(@TempDir Path directory) {
        String[] without = with(
                new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(
                                CassandraAutoConfiguration.class, DataCassandraAutoConfiguration.class))
                        .withPropertyValues(connection()),
                directory);
        String[] off = with(application().withPropertyValues("surewrite.enabled=false"), directory);
        assertThat(off).containsExactlyInAnyOrder(without);
        assertThat(with(application(), directory)).hasSizeGreaterThan(without.length + 50);
    }

    private static String[] with(ApplicationContextRunner application, Path directory) {
        String[][] names = new String[1][];
        application
                .withPropertyValues(
                        "surewrite.backlog.enabled=true",
                        "surewrite.backlog.directory=" + directory,
                        "surewrite.journal.enabled=true",
                        "management.endpoints.web.exposure.include=*")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    names[0] = context.getBeanDefinitionNames();
                });
        return names[0];
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
