package io.surewrite.alledeals.user;

import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import java.util.UUID;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Users by their id. Every write is repeated until it is done, and a row is replaced whole. */
@Idempotent
interface UserRepository extends CassandraRepository<User, UUID>, OverwriteRepository<User> {}
