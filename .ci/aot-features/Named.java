package com.example.features;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import io.surewrite.retry.Idempotent;
import java.util.UUID;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Is refused when it is made: its statement stands in a file of named queries, and computes a value anew. */
@Lazy
public interface Named extends CassandraRepository<Person, UUID> {

    @Idempotent
    ResultSet touch(String email, UUID id);
}
