package io.surewrite.calls;

import io.surewrite.unique.UniqueBy;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;

@UniqueBy("login")
interface ReactiveBadges extends ReactiveCassandraRepository<Badge, String> {}
