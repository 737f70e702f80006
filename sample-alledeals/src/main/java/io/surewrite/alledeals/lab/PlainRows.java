package io.surewrite.alledeals.lab;

import org.springframework.data.cassandra.repository.CassandraRepository;

/** What the plain sides write through: a repository as any other. */
interface PlainRows extends CassandraRepository<LabRow, String> {}
