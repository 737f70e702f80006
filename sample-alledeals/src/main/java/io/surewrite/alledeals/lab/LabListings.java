package io.surewrite.alledeals.lab;

import static io.surewrite.retry.Idempotent.WhenExhausted.BACKLOG;

import io.surewrite.retry.Idempotent;
import io.surewrite.write.WriteReceipt;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;

/** The sure side of "listing while the database is away". What may wait says how long it lives: that counts from now. */
interface LabListings extends CassandraRepository<LabRow, String> {

    @Idempotent(attempts = 1, extendTtl = true, whenExhausted = BACKLOG)
    @Query("INSERT INTO cass_lab_row (id, text) VALUES (?0, ?1) USING TTL ?2")
    WriteReceipt list(String id, String text, int ttl);
}
