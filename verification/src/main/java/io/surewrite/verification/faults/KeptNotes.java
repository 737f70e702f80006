package io.surewrite.verification.faults;

import io.surewrite.retry.Idempotent;
import io.surewrite.retry.WhenExhausted;
import java.util.UUID;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** New rows whose inserts wait for the cluster when it is away. */
public interface KeptNotes extends CassandraRepository<Note, UUID> {

    @Override
    @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
    <S extends Note> S save(S note);
}
