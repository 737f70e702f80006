package io.surewrite.verification.overhead;

import io.surewrite.retry.Idempotent;
import io.surewrite.retry.WhenExhausted;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** The same, retried, and kept for later when that does not help. */
public interface KeptProducts extends CassandraRepository<Product, Integer> {

    @Override
    @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
    <S extends Product> S save(S product);
}
