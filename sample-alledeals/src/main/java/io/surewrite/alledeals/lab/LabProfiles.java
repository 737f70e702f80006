package io.surewrite.alledeals.lab;

import io.surewrite.overwrite.OverwriteRepository;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Rows with much to leave empty. Its {@code save} is Spring Data's; {@code overwrite} is ours. */
interface LabProfiles extends CassandraRepository<LabProfile, MapId>, OverwriteRepository<LabProfile> {}
