package io.surewrite.adoption;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.mapper.annotations.CqlName;
import com.datastax.oss.driver.api.mapper.annotations.Dao;
import com.datastax.oss.driver.api.mapper.annotations.DaoFactory;
import com.datastax.oss.driver.api.mapper.annotations.DefaultNullSavingStrategy;
import com.datastax.oss.driver.api.mapper.annotations.Delete;
import com.datastax.oss.driver.api.mapper.annotations.Entity;
import com.datastax.oss.driver.api.mapper.annotations.Insert;
import com.datastax.oss.driver.api.mapper.annotations.Mapper;
import com.datastax.oss.driver.api.mapper.annotations.PartitionKey;
import com.datastax.oss.driver.api.mapper.annotations.Query;
import com.datastax.oss.driver.api.mapper.annotations.Select;
import com.datastax.oss.driver.api.mapper.entity.saving.NullSavingStrategy;
import io.surewrite.retry.Idempotent;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueBy.Normalisation;
import io.surewrite.unique.UniqueBy.NullRule;
import io.surewrite.unique.UniqueFinder;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.Setter;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.repository.NoRepositoryBean;
import org.springframework.util.StringUtils;

/**
 * The users of an application that JHipster's template has begun: a login and an e-mail that must be unique, a set of
 * authorities, a DAO of the driver's mapper, and look-up tables that the application's own code writes beside the users, in
 * logged batches.
 */
final class UserTable {

    private UserTable() {}

    static void create(CqlSession session) {
        session.execute("CREATE TABLE adopted_user (id text PRIMARY KEY, login text, email text, activated boolean,"
                + " activation_key text, authorities set<text>)");
        session.execute("CREATE TABLE user_by_login (login text PRIMARY KEY, id text)");
        session.execute("CREATE TABLE user_by_email (email text PRIMARY KEY, id text)");
        session.execute("CREATE TABLE user_by_activation_key (activation_key text PRIMARY KEY, id text)");
    }

    /** With setters and without an argument in its constructor, for Spring Data and for the driver's mapper. */
    @Table("adopted_user")
    @Entity
    @CqlName("adopted_user")
    @Getter(AccessLevel.PACKAGE)
    @Setter(AccessLevel.PACKAGE)
    static class User {

        @PrimaryKey
        @PartitionKey
        private String id;

        private String login;
        private String email;
        private boolean activated;

        @Column("activation_key")
        private String activationKey;

        private Set<String> authorities = new HashSet<>();

        static User named(String login, String email) {
            User user = new User();
            user.setId(UUID.randomUUID().toString());
            user.setLogin(login);
            user.setEmail(email);
            user.getAuthorities().add("ROLE_USER");
            return user;
        }

        /** As the template registers users. */
        static User registered(String login, String email) {
            User user = named(login, email);
            user.setActivationKey(UUID.randomUUID().toString());
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

        Optional<User> findOneByActivationKey(String activationKey);

        void delete(User user);

        void deleteAll();

        long count();
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

    @Dao
    @DefaultNullSavingStrategy(NullSavingStrategy.SET_TO_NULL)
    interface UserDao {

        @Select
        User get(String id);

        @Insert
        BoundStatement saveQuery(User user);

        @Delete
        BoundStatement deleteQuery(User user);

        @Query("SELECT count(*) FROM adopted_user")
        long count();
    }

    @Mapper
    interface UserMapper {

        @DaoFactory
        UserDao users();
    }

    /** Activation keys are random, and each is good for three days. No constraint is needed, before or after. */
    static final class ActivationKeys {

        private static final int TIME_TO_LIVE = (int) Duration.ofDays(3).toSeconds();

        private final CqlSession session;
        private final PreparedStatement select;
        private final PreparedStatement insert;
        private final PreparedStatement delete;

        ActivationKeys(CqlSession session) {
            this.session = session;
            select = session.prepare("SELECT id FROM user_by_activation_key WHERE activation_key = ?");
            insert = session.prepare(
                    "INSERT INTO user_by_activation_key (activation_key, id) VALUES (?, ?) USING TTL ?");
            delete = session.prepare("DELETE FROM user_by_activation_key WHERE activation_key = ?");
        }

        void add(BatchStatementBuilder batch, Optional<User> former, User user) {
            former.map(User::getActivationKey)
                    .filter(key -> !key.equals(user.getActivationKey()))
                    .ifPresent(key -> batch.addStatement(delete.bind(key)));
            if (user.getActivationKey() != null) {
                batch.addStatement(insert.bind(user.getActivationKey(), user.getId(), TIME_TO_LIVE));
            }
        }

        void addDeletion(BatchStatementBuilder batch, User user) {
            if (user.getActivationKey() != null) {
                batch.addStatement(delete.bind(user.getActivationKey()));
            }
        }

        /** Beside a repository that has written the user. */
        void save(Optional<User> former, User user) {
            BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.LOGGED);
            add(batch, former, user);
            session.execute(batch.build());
        }

        Optional<String> find(String key) {
            return Optional.ofNullable(session.execute(select.bind(key)).one()).map(row -> row.getString("id"));
        }
    }

    /** Before: a DAO, one batch over all tables, and nothing that keeps two registrations apart. */
    static final class LookUpTables implements Accounts {

        private final CqlSession session;
        private final UserDao users;
        private final ActivationKeys activationKeys;
        private final PreparedStatement byLogin;
        private final PreparedStatement byEmail;
        private final PreparedStatement insertLogin;
        private final PreparedStatement insertEmail;
        private final PreparedStatement deleteLogin;
        private final PreparedStatement deleteEmail;

        LookUpTables(CqlSession session) {
            this.session = session;
            users = new UserTable_UserMapperBuilder(session).build().users();
            activationKeys = new ActivationKeys(session);
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
            batch.addStatement(users.saveQuery(user));
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
            activationKeys.add(batch, former, user);
            batch.addStatement(insertLogin.bind(user.getLogin(), user.getId()));
            if (StringUtils.hasText(user.getEmail())) {
                batch.addStatement(insertEmail.bind(folded(user.getEmail()), user.getId()));
            }
        }

        @Override
        public Optional<User> findById(String id) {
            return Optional.ofNullable(users.get(id));
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

        @Override
        public Optional<User> findOneByActivationKey(String activationKey) {
            return activationKeys.find(activationKey).flatMap(this::findById);
        }

        private Optional<User> found(Row row) {
            return Optional.ofNullable(row).map(found -> found.getString("id")).flatMap(this::findById);
        }

        @Override
        public void delete(User user) {
            BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.LOGGED);
            batch.addStatement(users.deleteQuery(user));
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
            activationKeys.addDeletion(batch, user);
            batch.addStatement(deleteLogin.bind(user.getLogin()));
            if (StringUtils.hasText(user.getEmail())) {
                batch.addStatement(deleteEmail.bind(folded(user.getEmail())));
            }
        }

        @Override
        public void deleteAll() {
            for (String table : Set.of("adopted_user", "user_by_login", "user_by_email", "user_by_activation_key")) {
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
    record Claims(Users users, UniqueFinder finder, ActivationKeys activationKeys) implements Accounts {

        @Override
        public User save(User user) {
            Optional<User> former = users.findById(user.getId());
            User saved = users.save(user);
            if (saved.getActivationKey() != null
                    || former.map(User::getActivationKey).isPresent()) {
                activationKeys.save(former, saved);
            }
            return saved;
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
        public Optional<User> findOneByActivationKey(String activationKey) {
            return activationKeys.find(activationKey).flatMap(this::findById);
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
