package io.surewrite.adoption;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.retry.Idempotent;
import io.surewrite.unique.Normalisation;
import io.surewrite.unique.NullRule;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueFinder;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.repository.NoRepositoryBean;
import org.springframework.util.StringUtils;

/**
 * The users of an application that JHipster's template has begun: a login and an e-mail that must be unique, a set of
 * authorities, and look-up tables that the application's own code writes beside the users, in logged batches.
 */
final class UserTable {

    private UserTable() {}

    static void create(CqlSession session) {
        session.execute("CREATE TABLE adopted_user (id text PRIMARY KEY, login text, email text, activated boolean,"
                + " authorities set<text>)");
        session.execute("CREATE TABLE user_by_login (login text PRIMARY KEY, id text)");
        session.execute("CREATE TABLE user_by_email (email text PRIMARY KEY, id text)");
    }

    /** With setters and without an argument in its constructor, as beans are. */
    @Table("adopted_user")
    static class User {

        @PrimaryKey
        private String id;

        private String login;
        private String email;
        private boolean activated;
        private Set<String> authorities = new HashSet<>();

        static User named(String login, String email) {
            User user = new User();
            user.setId(UUID.randomUUID().toString());
            user.setLogin(login);
            user.setEmail(email);
            user.getAuthorities().add("ROLE_USER");
            return user;
        }

        String getId() {
            return id;
        }

        void setId(String id) {
            this.id = id;
        }

        String getLogin() {
            return login;
        }

        void setLogin(String login) {
            this.login = login.toLowerCase(Locale.ENGLISH);
        }

        String getEmail() {
            return email;
        }

        void setEmail(String email) {
            this.email = email;
        }

        boolean isActivated() {
            return activated;
        }

        void setActivated(boolean activated) {
            this.activated = activated;
        }

        Set<String> getAuthorities() {
            return authorities;
        }

        void setAuthorities(Set<String> authorities) {
            this.authorities = authorities;
        }
    }

    /** What the application's services ask for. */
    interface Accounts {

        User save(User user);

        Optional<User> findById(String id);

        Optional<User> findOneByLogin(String login);

        Optional<User> findOneByEmailIgnoreCase(String email);

        void delete(User user);

        void deleteAll();

        long count();
    }

    @NoRepositoryBean
    interface Users extends CassandraRepository<User, String> {}

    interface PlainUsers extends Users {}

    @Idempotent
    @UniqueBy(value = "login", name = "user-login", normalise = Normalisation.CASE_FOLDED)
    @UniqueBy(
            value = "email",
            name = "user-email",
            normalise = Normalisation.CASE_FOLDED,
            nulls = NullRule.NO_CLAIM_IF_BLANK)
    interface SureUsers extends Users {}

    /** Before: a driver's DAO, one batch over three tables, and nothing that keeps two registrations apart. */
    static final class LookUpTables implements Accounts {

        private final CqlSession session;
        private final Users users;
        private final PreparedStatement insert;
        private final PreparedStatement byLogin;
        private final PreparedStatement byEmail;
        private final PreparedStatement insertLogin;
        private final PreparedStatement insertEmail;
        private final PreparedStatement deleteLogin;
        private final PreparedStatement deleteEmail;
        private final PreparedStatement delete;

        LookUpTables(CqlSession session, Users users) {
            this.session = session;
            this.users = users;
            insert = session.prepare(
                    "INSERT INTO adopted_user (id, login, email, activated, authorities) VALUES (?, ?, ?, ?, ?)");
            byLogin = session.prepare("SELECT id FROM user_by_login WHERE login = ?");
            byEmail = session.prepare("SELECT id FROM user_by_email WHERE email = ?");
            insertLogin = session.prepare("INSERT INTO user_by_login (login, id) VALUES (?, ?)");
            insertEmail = session.prepare("INSERT INTO user_by_email (email, id) VALUES (?, ?)");
            deleteLogin = session.prepare("DELETE FROM user_by_login WHERE login = ?");
            deleteEmail = session.prepare("DELETE FROM user_by_email WHERE email = ?");
            delete = session.prepare("DELETE FROM adopted_user WHERE id = ?");
        }

        @Override
        public User save(User user) {
            BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.LOGGED);
            batch.addStatement(insert.bind(
                    user.getId(), user.getLogin(), user.getEmail(), user.isActivated(), user.getAuthorities()));
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
            return users.findById(id);
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

        @Override
        public void delete(User user) {
            BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.LOGGED);
            batch.addStatement(delete.bind(user.getId()));
            addDeletions(batch, user);
            session.execute(batch.build());
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

        @Override
        public void deleteAll() {
            for (String table : Set.of("adopted_user", "user_by_login", "user_by_email")) {
                session.execute("TRUNCATE " + table);
            }
        }

        @Override
        public long count() {
            return users.count();
        }

        private static String folded(String email) {
            return Objects.requireNonNull(email).toLowerCase(Locale.ENGLISH);
        }
    }

    /** After. */
    record Claims(Users users, UniqueFinder finder) implements Accounts {

        @Override
        public User save(User user) {
            return users.save(user);
        }

        @Override
        public Optional<User> findById(String id) {
            return users.findById(id);
        }

        @Override
        public Optional<User> findOneByLogin(String login) {
            return finder.find("user-login", User.class, login);
        }

        @Override
        public Optional<User> findOneByEmailIgnoreCase(String email) {
            return finder.find("user-email", User.class, email);
        }

        @Override
        public void delete(User user) {
            users.delete(user);
        }

        @Override
        public void deleteAll() {
            users.deleteAll();
        }

        @Override
        public long count() {
            return users.count();
        }
    }
}
