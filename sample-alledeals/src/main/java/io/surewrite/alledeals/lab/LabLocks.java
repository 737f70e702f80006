package io.surewrite.alledeals.lab;

import io.surewrite.retry.Idempotent;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** The sure side of "a row with a lock and a revision". */
@Idempotent(extendTtl = true)
interface LabLocks extends CassandraRepository<LabLock, String> {}
