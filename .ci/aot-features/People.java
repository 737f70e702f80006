package com.example.features;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.unique.UniqueBy;
import java.util.List;
import java.util.UUID;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;

@Idempotent
@UniqueBy(value = "login", name = "login")
public interface People extends CassandraRepository<Person, UUID>, OverwriteRepository<Person> {

    @Query("UPDATE person SET email = ?0 WHERE id = ?1")
    ResultSet write(String email, UUID id);

    @Query("SELECT * FROM person WHERE id = ?0")
    List<Person> readById(UUID id);

    List<Person> findPersonById(UUID id);

}
