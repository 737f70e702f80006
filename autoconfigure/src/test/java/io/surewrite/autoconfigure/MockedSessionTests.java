package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.OwnRepositories;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.write.InvalidConfigurationException;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Answers;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.util.ClassUtils;

/** A session that is a mock is none of ours: the application starts, with everything that it injects. There is no server. */
@LongLane
class MockedSessionTests {

    @ParameterizedTest
    @EnumSource(
            value = Answers.class,
            names = {"RETURNS_DEFAULTS", "RETURNS_SMART_NULLS", "RETURNS_MOCKS", "RETURNS_DEEP_STUBS"})
    void startsWhateverItAnswers(Answers answers) {
        application()
                .withBean(CqlSession.class, () -> mock(CqlSession.class, answers))
                .withPropertyValues("surewrite.journal.enabled=true")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    LeaseLocks locks = context.getBean(Service.class).locks();
                    assertThatThrownBy(() -> locks.tryAcquire("x"))
                            .isInstanceOf(InvalidConfigurationException.class)
                            .hasMessageContaining("LeaseLocks.tryAcquire was called")
                            .hasMessageContaining("a mock");
                    assertThat(context.getBean(Notes.class)).isNotNull();
                });
    }

    private static ApplicationContextRunner application() {
        ClassLoader loader = MockedSessionTests.class.getClassLoader();
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DataCassandraAutoConfiguration.class))
                .withConfiguration(AutoConfigurations.of(
                        ImportCandidates.load(AutoConfiguration.class, loader).getCandidates().stream()
                                .filter(name -> name.startsWith("io.surewrite.autoconfigure."))
                                .map(name -> ClassUtils.resolveClassName(name, loader))
                                .toArray(Class<?>[]::new)))
                .withUserConfiguration(Repositories.class)
                .withBean(Job.class)
                .withBean(Service.class)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new);
    }

    @Table("note")
    record Note(@PrimaryKey UUID id, String text) {}

    @UniqueBy("text")
    interface Notes extends CassandraRepository<Note, UUID>, OverwriteRepository<Note> {

        @Override
        @Idempotent
        <S extends Note> S save(S note);
    }

    static class Job {

        @WithLease("job")
        public void run() {}

        @Idempotent
        public void write() {}
    }

    record Service(
            LeaseLocks locks,
            UniqueFinder finder,
            UniqueGuard guard,
            UniqueConstraints constraints,
            RowOverwrites overwrites) {}

    @OwnRepositories
    static class Repositories {}
}
