package com.example.features;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import io.surewrite.retry.Idempotent;
import java.util.UUID;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;

/** Is refused when it is made. */
@Lazy
public interface Counters extends CassandraRepository<Person, UUID> {

    @Idempotent
    @Query("UPDATE visits SET n = n + 1 WHERE id = ?0")
    ResultSet visit(UUID id);
}
