package io.surewrite.verification.faults;

import io.surewrite.retry.Idempotent;
import io.surewrite.retry.WhenExhausted;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Rows whose writes wait for the cluster when it is away. */
public interface KeptCounters extends CassandraRepository<Counter, String> {

    @Override
    @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
    <S extends Counter> S save(S counter);
}
