package io.surewrite.calls;

import io.surewrite.retry.Idempotent;
import java.util.List;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.cassandra.repository.CassandraRepository;

interface Notes extends CassandraRepository<Note, MapId> {

    @Override
    @Idempotent
    <S extends Note> S save(S note);

    @Override
    @Idempotent
    <S extends Note> List<S> saveAll(Iterable<S> notes);
}
