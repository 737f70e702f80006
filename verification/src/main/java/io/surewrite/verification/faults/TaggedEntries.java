package io.surewrite.verification.faults;

import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.unique.UniqueBy;
import java.util.UUID;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Rows with collections of which at most one has a label. */
@UniqueBy("label")
public interface TaggedEntries extends CassandraRepository<TaggedEntry, UUID>, OverwriteRepository<TaggedEntry> {}
