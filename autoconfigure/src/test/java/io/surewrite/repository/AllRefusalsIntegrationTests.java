package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.test.Refused;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;

/** One start reports what is refused of all repositories; none of them runs meanwhile. */
class AllRefusalsIntegrationTests extends CassandraTest {

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE page (id uuid PRIMARY KEY, name text)");
    }

    /** A bean may call it before the last repository was looked at. */
    @Test
    void noMethodOfARefusedRepositoryRuns() {
        UUID id = UUID.randomUUID();
        ApplicationContextRunner application = OwnServer.with(UsesNow.class, application())
                .withBean(Eager.class, () -> new Eager(id))
                .withUserConfiguration(Eager.Config.class);
        Refused.of(application).saying("UsesNow.add");
        assertThat(session.execute("SELECT id FROM page WHERE id = " + id).one())
                .isNull();
    }

    /** The id of a row that must not be written. */
    record Eager(UUID id) {

        @Configuration(proxyBeanMethods = false)
        static class Config {

            @Bean
            InitializingBean writesAtOnce(ObjectProvider<UsesNow> pages, Eager eager) {
                return () -> pages.getObject().save(new Page(eager.id(), "too early"));
            }
        }
    }

    @Table("page")
    record Page(@Id UUID id, String name) {}

    interface UsesNow extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("INSERT INTO page (id, name) VALUES (now(), ?0)")
        void add(String name);
    }
}
