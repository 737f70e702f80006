package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.overwrite.OverwriteException;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** What a repository with unique values writes, column by column, with which timestamp. */
@ExtendWith(OutputCaptureExtension.class)
class ColumnsOfGuardedWritesIntegrationTests extends CassandraTest {

    private static ApplicationContext application;
    private static Accounts accounts;
    private static Logins logins;

    private final UUID id = UUID.randomUUID();
    private final String login = "login-" + id;

    @Table("account")
    record Account(
            @PrimaryKey UUID id,
            @Nullable String login,
            @Nullable String email,
            @Nullable String city) {}

    @UniqueBy("login")
    interface Accounts extends CassandraRepository<Account, UUID>, OverwriteRepository<Account> {}

    /** Knows only a part of the same table, of which nothing is without a constraint. */
    @Table("account")
    record Login(@PrimaryKey UUID id, @Nullable String login) {}

    @UniqueBy(value = "login", name = "account-login")
    interface Logins extends CassandraRepository<Login, UUID>, OverwriteRepository<Login> {}

    @OwnRepositories
    static class Application {}

    @BeforeAll
    static void start() {
        session.execute("CREATE TABLE IF NOT EXISTS account (id uuid PRIMARY KEY, login text, email text, city text)");
        application = shared(List.of("surewrite.overwrite.max-size=1KB"), Application.class);
        accounts = application.getBean(Accounts.class);
        logins = application.getBean(Logins.class);
    }

    private Row row() {
        return session.execute("SELECT login, email, city FROM account WHERE id = " + id)
                .one();
    }

    @Test
    void leavesNothingOfTheRowBeforeWhenItOverwrites() {
        accounts.insert(new Account(id, login, "e", "c"));
        accounts.overwrite(new Account(id, login + "x", null, "d"));
        Row overwritten = row();
        assertThat(overwritten.getString("login")).isEqualTo(login + "x");
        assertThat(overwritten.isNull("email")).isTrue();
        assertThat(overwritten.getString("city")).isEqualTo("d");
        accounts.insert(new Account(UUID.randomUUID(), login, null, null));
    }

    @Test
    void leavesColumnsAloneThatTheEntityDoesNotKnow(CapturedOutput output) {
        accounts.insert(new Account(id, login, "e", "c"));
        logins.save(new Login(id, login));
        logins.save(new Login(id, login + "y"));
        logins.overwrite(new Login(id, null));
        assertThat(output).contains("account has columns that " + Login.class.getName() + " does not map");
        logins.overwrite(new Login(id, login + "z"));
        Row row = row();
        assertThat(row.getString("login")).isEqualTo(login + "z");
        assertThat(row.getString("email")).isEqualTo("e");
        assertThat(row.getString("city")).isEqualTo("c");
    }

    @Test
    void overwritesUnderTheRulesOfAnyOtherRepository() {
        String free = "free-" + id;
        accounts.overwrite(new Account(id, login, "e", "c"));
        accounts.overwrite(new Account(id, login, null, "c"));

        assertThatExceptionOfType(OverwriteException.class)
                .isThrownBy(() -> accounts.overwrite(new Account(id, free, "x".repeat(1100), null)))
                .withMessageContaining("surewrite.overwrite.max-size allows 1024");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> accounts.overwrite(null))
                .withMessageContaining("must not be null");
        UUID other = UUID.randomUUID();
        assertThatExceptionOfType(OverwriteException.class)
                .isThrownBy(() -> accounts.overwriteAll(Arrays.asList(new Account(other, null, "e", null), null)));
        assertThatExceptionOfType(OverwriteException.class)
                .isThrownBy(() -> accounts.overwriteAll(
                        List.of(new Account(other, null, "e", null), new Account(id, free, "x".repeat(1100), null))));
        assertThat(accounts.existsById(other))
                .as("all were checked before the first")
                .isFalse();
        assertThat(row().getString("email")).isNull();
        accounts.insert(new Account(UUID.randomUUID(), free, null, null));
    }
}
