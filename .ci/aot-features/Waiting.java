package com.example.features;

import io.surewrite.write.WriteReceipt;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import java.util.UUID;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;

public interface Waiting extends CassandraRepository<Person, UUID> {

    @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
    @Query("UPDATE person SET email = ?0 WHERE id = ?1")
    WriteReceipt keep(String email, UUID id);
}
