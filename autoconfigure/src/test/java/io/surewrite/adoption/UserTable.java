package io.surewrite.adoption;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.retry.Idempotent;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueBy.Normalisation;
import io.surewrite.unique.UniqueBy.NullRule;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.Setter;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.repository.NoRepositoryBean;
import org.springframework.util.StringUtils;

/**
 * The users of an application that JHipster's template has begun: a login and an e-mail that must be unique, and look-up
 * tables that the application's own code writes beside the users, in logged batches.
 */
final class UserTable {

    private UserTable() {}

    static void create(CqlSession session) {
        session.execute("CREATE TABLE adopted_user (id text PRIMARY KEY, login text, email text)");
        session.execute("CREATE TABLE user_by_login (login text PRIMARY KEY, id text)");
        session.execute("CREATE TABLE user_by_email (email text PRIMARY KEY, id text)");
    }

    @Table("adopted_user")
    @Getter(AccessLevel.PACKAGE)
    @Setter(AccessLevel.PACKAGE)
    static class User {

        @PrimaryKey
        private String id;

        private String login;
        private String email;

        static User named(String login, String email) {
            User user = new User();
            user.setId(UUID.randomUUID().toString());
            user.setLogin(login);
            user.setEmail(email);
            return user;
        }

        void setLogin(String login) {
            this.login = login.toLowerCase(Locale.ENGLISH);
        }
    }

    /** What the application's services ask for. */
    interface Accounts {

        User save(User user);

        Optional<User> findById(String id);

        Optional<User> findOneByLogin(String login);

        Optional<User> findOneByEmailIgnoreCase(String email);
    }

    @NoRepositoryBean
    interface Users extends CassandraRepository<User, String> {}

    @Idempotent
    @UniqueBy(value = "login", name = "user-login", normalise = Normalisation.CASE_FOLDED)
    @UniqueBy(
            value = "email",
            name = "user-email",
            normalise = Normalisation.CASE_FOLDED,
            nulls = NullRule.NO_CLAIM_IF_BLANK)
    interface SureUsers extends Users {}

    /** Before: one batch over all tables, and nothing that keeps two registrations apart. */
    static final class LookUpTables implements Accounts {

        private final CqlSession session;
        private final PreparedStatement byId;
        private final PreparedStatement insertUser;
        private final PreparedStatement byLogin;
        private final PreparedStatement byEmail;
        private final PreparedStatement insertLogin;
        private final PreparedStatement insertEmail;
        private final PreparedStatement deleteLogin;
        private final PreparedStatement deleteEmail;

        LookUpTables(CqlSession session) {
            this.session = session;
            byId = session.prepare("SELECT id, login, email FROM adopted_user WHERE id = ?");
            insertUser = session.prepare("INSERT INTO adopted_user (id, login, email) VALUES (?, ?, ?)");
            byLogin = session.prepare("SELECT id FROM user_by_login WHERE login = ?");
            byEmail = session.prepare("SELECT id FROM user_by_email WHERE email = ?");
            insertLogin = session.prepare("INSERT INTO user_by_login (login, id) VALUES (?, ?)");
            insertEmail = session.prepare("INSERT INTO user_by_email (email, id) VALUES (?, ?)");
            deleteLogin = session.prepare("DELETE FROM user_by_login WHERE login = ?");
            deleteEmail = session.prepare("DELETE FROM user_by_email WHERE email = ?");
        }

        @Override
        public User save(User user) {
            BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.LOGGED);
            batch.addStatement(insertUser.bind(user.getId(), user.getLogin(), user.getEmail()));
            addLookUps(batch, findById(user.getId()), user);
            session.execute(batch.build());
            return user;
        }

        /** The look-up tables alone. */
        void saveLookUps(Optional<User> former, User user) {
            BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.LOGGED);
            addLookUps(batch, former, user);
            session.execute(batch.build());
        }

        private void addLookUps(BatchStatementBuilder batch, Optional<User> former, User user) {
            former.ifPresent(old -> {
                if (!old.getLogin().equals(user.getLogin())) {
                    batch.addStatement(deleteLogin.bind(old.getLogin()));
                }
                if (StringUtils.hasText(old.getEmail()) && !old.getEmail().equals(user.getEmail())) {
                    batch.addStatement(deleteEmail.bind(folded(old.getEmail())));
                }
            });
            batch.addStatement(insertLogin.bind(user.getLogin(), user.getId()));
            if (StringUtils.hasText(user.getEmail())) {
                batch.addStatement(insertEmail.bind(folded(user.getEmail()), user.getId()));
            }
        }

        @Override
        public Optional<User> findById(String id) {
            return Optional.ofNullable(session.execute(byId.bind(id)).one()).map(row -> {
                User user = new User();
                user.setId(row.getString("id"));
                user.setLogin(row.getString("login"));
                user.setEmail(row.getString("email"));
                return user;
            });
        }

        @Override
        public Optional<User> findOneByLogin(String login) {
            return found(session.execute(byLogin.bind(login)).one());
        }

        @Override
        public Optional<User> findOneByEmailIgnoreCase(String email) {
            return StringUtils.hasText(email)
                    ? found(session.execute(byEmail.bind(folded(email))).one())
                    : Optional.empty();
        }

        private Optional<User> found(Row row) {
            return Optional.ofNullable(row).map(found -> found.getString("id")).flatMap(this::findById);
        }

        /** The look-up tables alone. */
        void deleteLookUps(User user) {
            BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.LOGGED);
            addDeletions(batch, user);
            session.execute(batch.build());
        }

        private void addDeletions(BatchStatementBuilder batch, User user) {
            batch.addStatement(deleteLogin.bind(user.getLogin()));
            if (StringUtils.hasText(user.getEmail())) {
                batch.addStatement(deleteEmail.bind(folded(user.getEmail())));
            }
        }

        private static String folded(String email) {
            return Objects.requireNonNull(email).toLowerCase(Locale.ENGLISH);
        }
    }
}
