package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.overwrite.OverwriteException;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnReads;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.MapIdCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** What a repository with unique values writes, column by column, with which timestamp. */
@ExtendWith(OutputCaptureExtension.class)
class ColumnsOfGuardedWritesIntegrationTests extends CassandraTest {

    private static ConfigurableApplicationContext application;
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

    @Table("seat")
    record Seat(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String hall,

            @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED)
            int number,

            String guest,
            @Nullable String film) {}

    @UniqueBy("guest")
    interface Seats extends MapIdCassandraRepository<Seat>, OverwriteRepository<Seat> {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {Accounts.class, Logins.class, Seats.class}))
    static class Application {}

    @BeforeAll
    static void start() {
        session.execute("CREATE TABLE IF NOT EXISTS account (id uuid PRIMARY KEY, login text, email text, city text)");
        session.execute("CREATE TABLE IF NOT EXISTS seat (hall text, number int, guest text, film text STATIC,"
                + " PRIMARY KEY (hall, number))");
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(connection())
                .properties("surewrite.schema.initialize=always", "surewrite.overwrite.max-size=1KB")
                .run();
        accounts = application.getBean(Accounts.class);
        logins = application.getBean(Logins.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private Row row() {
        return session.execute("SELECT login, email, city, WRITETIME(login) AS login_at, WRITETIME(email) AS email_at"
                        + " FROM account WHERE id = " + id)
                .one();
    }

    @Test
    void readsTheValuesAloneThatConstraintsAreAbout() {
        accounts.insert(new Account(id, login, "e", "c"));
        accounts.save(new Account(id, login + "2", "f", "c"));

        String from = " FROM " + session.getKeyspace().orElseThrow().asCql(true) + ".account WHERE id = ?";
        assertThat(OwnReads.prepared(session))
                .contains("SELECT WRITETIME(city), WRITETIME(email), login, WRITETIME(login)" + from);
    }

    /** What the guard reads names its columns. */
    @Test
    void readsWithoutTheColumnsOfTheAnswer() {
        accounts.insert(new Account(id, login, "e", "c"));
        assertThatThrownBy(() -> accounts.save(new Account(UUID.randomUUID(), login, "f", "c")))
                .isInstanceOf(DuplicateValueException.class);

        CqlSession own = application.getBean(CqlSession.class);
        assertThat(OwnReads.prepared(own))
                .filteredOn(query ->
                        query.startsWith("SELECT WRITETIME(city)") || query.startsWith("SELECT owner, claim_id"))
                .hasSize(2)
                .allSatisfy(query -> {
                    Object[] key = query.contains("value = ")
                            ? new Object[] {"account.login", login.length() + ":" + login}
                            : new Object[] {id};
                    OwnReads.assertComesWithoutColumns(own, query, key);
                });
    }

    @Test
    void writesAllWithOneTimestampAlsoWhereNothingUniqueChanges() {
        accounts.insert(new Account(id, login, "e", "c"));
        Row inserted = row();
        assertThat(inserted.getString("login")).isEqualTo(login);
        assertThat(inserted.getLong("email_at")).isEqualTo(inserted.getLong("login_at"));

        accounts.save(new Account(id, login, "f", null));
        Row saved = row();
        assertThat(saved.getString("email")).isEqualTo("f");
        assertThat(saved.isNull("city")).isTrue();
        assertThat(saved.getLong("login_at"))
                .isGreaterThan(inserted.getLong("login_at"))
                .isEqualTo(saved.getLong("email_at"));
        assertThatThrownBy(() -> accounts.insert(new Account(UUID.randomUUID(), login, null, null)))
                .isInstanceOf(DuplicateValueException.class);
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

    @Test
    void refusesContradictingStaticsAsAnyOtherRepository() {
        Seats seats = application.getBean(Seats.class);
        Seat first = new Seat("hall-" + id, 1, "ann-" + id, "Metropolis");
        Seat second = new Seat("hall-" + id, 2, "bob-" + id, "Nosferatu");
        assertThatExceptionOfType(OverwriteException.class)
                .isThrownBy(() -> seats.overwriteAll(List.of(first, second)))
                .withMessageContaining("static column film");
        assertThat(seatsTaken()).isZero();
        assertThat(seats.overwriteAll(List.of(first, new Seat("hall-" + id, 2, "bob-" + id, null))))
                .hasSize(2);
        assertThat(seatsTaken()).isEqualTo(2);
    }

    private long seatsTaken() {
        return session.execute("SELECT COUNT(*) FROM seat WHERE hall = ?", "hall-" + id)
                .one()
                .getLong(0);
    }

    @Test
    void refusesAnotherRowInPlaceOfTheFirstOfTwoOverwrites() {
        Account first = new Account(id, login, "e", null);
        WriteScope scope =
                WriteScope.at(application.getBean(WriteTimestamps.class).nextPair());
        scope.call(() -> accounts.overwrite(first));
        scope.call(() -> accounts.overwrite(first));
        assertThatExceptionOfType(OverwriteException.class)
                .isThrownBy(() -> scope.call(() -> accounts.overwrite(new Account(id, login, null, "c"))))
                .withMessageContaining("same timestamp");
        assertThat(accounts.findById(id)).contains(first);
    }

    @Test
    void writesNullsOverWhatWasThere() {
        accounts.insert(new Account(id, login, "e", "c"));
        accounts.save(new Account(id, null, null, "d"));
        Row row = row();
        assertThat(row.isNull("login")).isTrue();
        assertThat(row.isNull("email")).isTrue();
        assertThat(row.getString("city")).isEqualTo("d");
        accounts.deleteById(id);
        assertThat(row()).isNull();
    }

    @Test
    void findsARowByItsValue() {
        UniqueFinder finder = application.getBean(UniqueFinder.class);
        assertThat(finder.findKey("account.login", login)).isEmpty();
        accounts.insert(new Account(id, login, null, null));
        assertThat(finder.findKey("account.login", login)).contains(Map.of("id", id));
        assertThatThrownBy(() -> finder.findKey("account.email", login))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("account.login");
    }
}
