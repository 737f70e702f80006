package io.surewrite.verification.faults;

import io.surewrite.retry.Idempotent;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Rows whose writes are retried. */
@Idempotent
public interface Counters extends CassandraRepository<Counter, String> {}
