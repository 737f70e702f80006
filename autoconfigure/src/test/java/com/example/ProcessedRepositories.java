package com.example;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import io.surewrite.lease.LeaseAssert;
import io.surewrite.lease.WithLease;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.WriteReceipt;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** Repositories with each annotation, and a bean that works under a lease. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableCassandraRepositories(considerNestedRepositories = true, basePackageClasses = ProcessedRepositories.class)
@Import(ProcessedRepositories.Worker.class)
public class ProcessedRepositories {

    @Table("processed_person")
    public record Person(@PrimaryKey UUID id, String login, String email) {}

    @Idempotent
    @UniqueBy(value = "login", name = "processed")
    public interface People extends CassandraRepository<Person, UUID>, OverwriteRepository<Person> {

        @Query("UPDATE processed_person SET email = ?0 WHERE id = ?1")
        ResultSet write(String email, UUID id);

        List<Person> findPersonById(UUID id);
    }

    /** Made, and refused, when it is asked for. */
    @Lazy
    public interface Counters extends CassandraRepository<Person, UUID> {

        @Idempotent
        @Query("UPDATE processed_visits SET n = n + 1 WHERE id = ?0")
        ResultSet visit(UUID id);
    }

    /** Made, and refused, when it is asked for. */
    @Lazy
    @UniqueBy("logon")
    public interface Misspelt extends CassandraRepository<Person, UUID> {}

    /** Made, and refused, when it is asked for: its statement stands in a file, and computes a value anew. */
    @Lazy
    public interface Named extends CassandraRepository<Person, UUID> {

        @Idempotent
        ResultSet touchProcessed(String email, UUID id);
    }

    public interface Waiting extends CassandraRepository<Person, UUID> {

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        @Query("UPDATE processed_person SET email = ?0 WHERE id = ?1")
        WriteReceipt keep(String email, UUID id);
    }

    public static class Worker {

        private final CassandraOperations template;
        private final List<Long> times = new ArrayList<>();

        public Worker(CassandraOperations template) {
            this.template = template;
        }

        public List<Long> times() {
            return times;
        }

        /** Fails after the first write, so that there is a second. */
        @Idempotent
        public void writeTwice(UUID id) {
            template.getCqlOperations().execute("UPDATE processed_person SET email = 'twice' WHERE id = ?", id);
            times.add(template.getCqlOperations()
                    .queryForObject("SELECT WRITETIME(email) FROM processed_person WHERE id = ?", Long.class, id));
            if (times.size() == 1) {
                throw new DriverTimeoutException("the answer was lost");
            }
        }

        @WithLease(key = "#name")
        public long tokenOf(String name) {
            return LeaseAssert.assertHeld(name).token();
        }
    }
}
