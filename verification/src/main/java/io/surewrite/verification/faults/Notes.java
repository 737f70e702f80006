package io.surewrite.verification.faults;

import io.surewrite.retry.Idempotent;
import java.util.UUID;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** New rows whose inserts are retried. */
@Idempotent
public interface Notes extends CassandraRepository<Note, UUID> {}
