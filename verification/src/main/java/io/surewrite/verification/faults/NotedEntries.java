package io.surewrite.verification.faults;

import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.unique.UniqueBy;
import java.util.UUID;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Rows of plain columns of which at most one has a label. */
@UniqueBy("label")
public interface NotedEntries extends CassandraRepository<NotedEntry, UUID>, OverwriteRepository<NotedEntry> {}
