package io.surewrite.alledeals.user;

import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueBy.Normalisation;
import java.util.UUID;
import org.springframework.data.cassandra.repository.CassandraRepository;

/**
 * Users by their id. Every write is repeated until it is done, and a row is replaced whole. Nobody else has the same login
 * or email, however it is spelled.
 */
@Idempotent
@UniqueBy(value = "login", name = UserRepository.BY_LOGIN, normalise = Normalisation.CASE_FOLDED)
@UniqueBy(value = "email", name = UserRepository.BY_EMAIL, normalise = Normalisation.CASE_FOLDED)
interface UserRepository extends CassandraRepository<User, UUID>, OverwriteRepository<User> {

    /** The name of the constraint on logins, to find users by. */
    String BY_LOGIN = "user-login";

    /** The same, on emails. */
    String BY_EMAIL = "user-email";
}
