package io.surewrite.verification.faults;

import io.surewrite.overwrite.OverwriteRepository;
import java.util.UUID;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.repository.NoRepositoryBean;

/** Rows that can be written in every way there is. */
@NoRepositoryBean
public interface GuardedEntries<E extends Wanting> extends CassandraRepository<E, UUID>, OverwriteRepository<E> {}
