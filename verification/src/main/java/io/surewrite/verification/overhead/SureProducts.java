package io.surewrite.verification.overhead;

import io.surewrite.retry.Idempotent;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** The same, retried. */
@Idempotent
public interface SureProducts extends CassandraRepository<Product, Integer> {}
