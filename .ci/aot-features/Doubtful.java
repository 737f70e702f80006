package com.example.features;

import io.surewrite.unique.UniqueBy;
import java.util.UUID;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Is refused when it is made: there is no such property. */
@Lazy
@UniqueBy("logon")
public interface Doubtful extends CassandraRepository<Person, UUID> {}
