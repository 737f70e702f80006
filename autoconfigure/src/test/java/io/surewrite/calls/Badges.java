package io.surewrite.calls;

import io.surewrite.retry.Idempotent;
import io.surewrite.unique.UniqueBy;
import org.springframework.data.cassandra.repository.CassandraRepository;

@UniqueBy("login")
interface Badges extends CassandraRepository<Badge, String> {

    @Override
    @Idempotent
    <S extends Badge> S save(S badge);
}
