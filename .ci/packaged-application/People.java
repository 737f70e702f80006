package com.example.packaged;

import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.unique.UniqueBy;
import java.util.UUID;
import org.springframework.data.cassandra.repository.CassandraRepository;

@Idempotent
@UniqueBy("login")
public interface People extends CassandraRepository<Person, UUID>, OverwriteRepository<Person> {}
