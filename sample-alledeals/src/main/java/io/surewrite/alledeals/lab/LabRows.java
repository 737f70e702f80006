package io.surewrite.alledeals.lab;

import io.surewrite.retry.Idempotent;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** The sure side of "a retry undoes a correction". */
@Idempotent(extendTtl = true)
interface LabRows extends CassandraRepository<LabRow, String> {}
