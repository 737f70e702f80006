package io.surewrite.adoption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.adoption.UserTable.Accounts;
import io.surewrite.adoption.UserTable.LookUpTables;
import io.surewrite.adoption.UserTable.SureUsers;
import io.surewrite.adoption.UserTable.User;
import io.surewrite.adoption.UserTable.Users;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.unique.UniqueReport;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** The steps of docs/migration.md, one after the other, on a table of users that is in use. */
@LongLane
class MigrationIntegrationTests extends CassandraTest {

    private static final List<String> CONSTRAINTS = List.of("user-login", "user-email");

    private final User ann = User.named("ann", "ann@example.org");
    private final User bob = User.named("bob", "");
    private final User secondAnn = User.named("ann", "second@example.org");

    @BeforeEach
    void whatIsThereBefore() {
        UserTable.create(session);
        Accounts before = new LookUpTables(session);
        List.of(ann, bob, secondAnn).forEach(before::save);
        assertThat(before.findOneByLogin("ann"))
                .as("the first one was lost")
                .map(User::getId)
                .contains(secondAnn.getId());
    }

    @Test
    void replacesLookUpTablesStepByStep() {
        application().withUserConfiguration(After.class).run(context -> {
            LookUpTables lookUps = new LookUpTables(session);
            Both both = new Both(context.getBean(Users.class), lookUps);
            writesBoth(both);
            buildsTheClaims(context.getBean(UniqueConstraints.class), both);
            readsByTheClaims(context);
        });
    }

    /** Step 3: the claims decide, and processes of the former release still find what they look up. */
    private void writesBoth(Both both) {
        User eve = both.save(User.named("eve", "eve@example.org"));
        assertThat(both.findOneByLogin("eve")).map(User::getId).contains(eve.getId());
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> both.save(User.named("Eve", "other@example.org")));
        assertThat(both.findOneByLogin("eve"))
                .as("a refused user is in no look-up table")
                .map(User::getId)
                .contains(eve.getId());
        eve.setLogin("eva");
        both.save(eve);
        assertThat(both.findOneByLogin("eve")).isEmpty();
        assertThat(both.findOneByLogin("eva")).map(User::getId).contains(eve.getId());
        both.delete(eve);
        assertThat(both.findOneByLogin("eva")).isEmpty();
        both.save(User.named("eva", "eve@example.org"));
    }

    /** Step 5. */
    private void buildsTheClaims(UniqueConstraints constraints, Accounts both) {
        UniqueReport logins = constraints.repair("user-login");
        assertThat(logins.isValid()).isFalse();
        assertThat(logins.firstDuplicates())
                .singleElement()
                .satisfies(duplicate -> assertThat(List.of(duplicate.holder(), duplicate.other()))
                        .containsExactlyInAnyOrder(Map.of("id", ann.getId()), Map.of("id", secondAnn.getId())));

        User renamed = both.findById(secondAnn.getId()).orElseThrow();
        renamed.setLogin("ann2");
        both.save(renamed);
        assertThat(CONSTRAINTS)
                .allSatisfy(constraint ->
                        assertThat(constraints.repair(constraint).isValid()).isTrue());
    }

    /** Step 6. */
    private void readsByTheClaims(ApplicationContext context) {
        session.execute("DROP TABLE user_by_login");
        session.execute("DROP TABLE user_by_email");
        UniqueFinder finder = context.getBean(UniqueFinder.class);
        Users users = context.getBean(Users.class);
        assertThat(finder.find("user-login", User.class, "ann"))
                .map(User::getId)
                .contains(ann.getId());
        assertThat(finder.find("user-login", User.class, "ann2"))
                .map(User::getId)
                .contains(secondAnn.getId());
        assertThat(finder.find("user-email", User.class, "ANN@example.org"))
                .map(User::getId)
                .contains(ann.getId());
        assertThatExceptionOfType(DuplicateValueException.class).isThrownBy(() -> users.save(User.named("bob", null)));
        assertThat(users.count()).isEqualTo(4);
    }

    /** The release in which both are written. */
    private record Both(Users users, LookUpTables lookUps) implements Accounts {

        @Override
        public User save(User user) {
            Optional<User> former = users.findById(Objects.requireNonNull(user.getId()));
            User saved = users.save(user); // ends here if the login or the e-mail is taken
            lookUps.saveLookUps(former, saved);
            return saved;
        }

        @Override
        public Optional<User> findById(String id) {
            return users.findById(id);
        }

        @Override
        public Optional<User> findOneByLogin(String login) {
            return lookUps.findOneByLogin(login);
        }

        @Override
        public Optional<User> findOneByEmailIgnoreCase(String email) {
            return lookUps.findOneByEmailIgnoreCase(email);
        }

        void delete(User user) {
            users.delete(user);
            lookUps.deleteLookUps(user);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = SureUsers.class))
    static class After {}
}
