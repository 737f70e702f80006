package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy.Normalisation;
import java.io.Serializable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.UserDefinedType;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** The table of users that JHipster makes for Cassandra, with a set of authorities, and more that is not frozen. */
@LongLane
class UsersWithAuthoritiesIntegrationTests extends CassandraTest {

    private static Users users;

    @Table("jhi_user")
    static class User implements Serializable {
        @PrimaryKey
        @Nullable
        String id;

        @Nullable
        String login;

        @Column("last_name")
        @Nullable
        String lastName;

        @Nullable
        String email;

        Set<String> authorities = new HashSet<>();
        Map<String, Integer> settings = new HashMap<>();

        @Nullable
        Home home;

        User() {}

        User(String id, String login) {
            this.id = id;
            this.login = login;
            this.email = login + "@localhost";
        }
    }

    @UserDefinedType("home")
    record Home(String street, @Nullable String town) {}

    @UniqueBy(value = "login", name = "jhi-login", normalise = Normalisation.CASE_FOLDED)
    @UniqueBy("email")
    interface Users extends CassandraRepository<User, String>, OverwriteRepository<User> {}

    @OwnRepositories
    static class Application {}

    private final String id = UUID.randomUUID().toString();
    private final String login = "user-" + id;

    @BeforeAll
    static void start() {
        session.execute("CREATE TYPE IF NOT EXISTS home (street text, town text)");
        session.execute(
                "CREATE TABLE IF NOT EXISTS jhi_user (id varchar PRIMARY KEY, login varchar, last_name varchar, email varchar,"
                        + " authorities set<varchar>, settings map<text, int>, home home)");
        users = shared(List.of(), Application.class).getBean(Users.class);
    }

    private User inserted() {
        User user = new User(id, login);
        user.authorities.addAll(Set.of("ROLE_USER", "ROLE_ADMIN"));
        user.settings.putAll(Map.of("rows", 20, "columns", 4));
        user.home = new Home("Ring", "Wien");
        return users.insert(user);
    }

    private User read() {
        return users.findById(id).orElseThrow();
    }

    @Test
    void savesWhatSpringDataWouldSave() {
        inserted();
        User read = read();
        assertThat(read.authorities).containsExactlyInAnyOrder("ROLE_USER", "ROLE_ADMIN");
        assertThat(read.settings).isEqualTo(Map.of("rows", 20, "columns", 4));
        assertThat(read.home).isEqualTo(new Home("Ring", "Wien"));

        read.authorities.remove("ROLE_ADMIN");
        read.settings.remove("columns");
        read.home = new Home("Gürtel", null);
        users.save(read);
        User saved = read();
        assertThat(saved.authorities).as("what was removed").containsExactly("ROLE_USER");
        assertThat(saved.settings).isEqualTo(Map.of("rows", 20));
        assertThat(saved.home).isEqualTo(new Home("Gürtel", null));

        saved.authorities = new HashSet<>();
        saved.settings = new HashMap<>();
        saved.home = null;
        saved.login = "other-" + login;
        users.save(saved);
        Row row = row();
        assertThat(row.isNull("authorities")).isTrue();
        assertThat(row.isNull("settings")).isTrue();
        assertThat(row.isNull("home")).isTrue();
        User next = new User(UUID.randomUUID().toString(), login);
        next.email = "next-" + login;
        users.insert(next);
    }

    private Row row() {
        return Objects.requireNonNull(session.execute("SELECT * FROM jhi_user WHERE id = '" + id + "'")
                .one());
    }
}
