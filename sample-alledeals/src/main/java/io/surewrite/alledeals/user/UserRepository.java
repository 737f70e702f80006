package io.surewrite.alledeals.user;

import java.util.UUID;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Users by their id. */
interface UserRepository extends CassandraRepository<User, UUID> {}
