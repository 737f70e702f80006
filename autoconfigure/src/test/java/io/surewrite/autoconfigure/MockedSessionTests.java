package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.retry.Idempotent;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.write.InvalidConfigurationException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** A session that is a mock is none of ours: the application starts, with everything that it injects. There is no server. */
@SpringBootTest(
        classes = MockedSessionTests.Application.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {"surewrite.embedded.enabled=false", "surewrite.journal.enabled=true"})
@LongLane
class MockedSessionTests {

    @MockitoBean
    private CqlSession session;

    @Test
    void startsInATestOfAContext(@Autowired ApplicationContext context) {
        ResultSet applied = mock();
        when(applied.wasApplied()).thenReturn(true);
        when(session.execute(any(Statement.class))).thenReturn(applied);
        assertThat(context.getBean(CqlTemplate.class).execute("INSERT INTO note (id) VALUES (1)"))
                .isTrue();
        LeaseLocks locks = context.getBean(Service.class).locks();
        assertThatThrownBy(() -> locks.tryAcquire("x"))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("LeaseLocks.tryAcquire was called")
                .hasMessageContaining("a mock");
        assertThat(context.getBean(Notes.class)).isNotNull();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Beans.class)
    static class Application {}

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

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Notes.class))
    static class Beans {

        @Bean
        Job job() {
            return new Job();
        }

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        Service service(
                LeaseLocks locks,
                UniqueFinder finder,
                UniqueGuard guard,
                UniqueConstraints constraints,
                RowOverwrites overwrites) {
            return new Service(locks, finder, guard, constraints, overwrites);
        }
    }
}
