package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.DuplicateValueException.Violation;
import io.surewrite.unique.UnclaimableValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueBy.Normalisation;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueFinder;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.mapping.Embedded;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Unique values through repositories, as an application has them: what can be unique, and what an operator sees. */
class UniqueRepositoriesIntegrationTests extends CassandraTest {

    private static ConfigurableApplicationContext application;
    private static Members members;

    /** With a row that was there before. */
    @BeforeAll
    static void start() {
        session.execute("CREATE TABLE member (id uuid PRIMARY KEY, login text, email text)");
        session.execute("CREATE TABLE resident (id uuid PRIMARY KEY, street text, town text)");
        session.execute("CREATE TABLE coupon (code text PRIMARY KEY, percent int)");
        session.execute("INSERT INTO coupon (code, percent) VALUES ('OLD', 5)");
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(connection())
                .properties(
                        "surewrite.schema.initialize=always",
                        "surewrite.unique.repair=coupon.code",
                        "management.endpoints.web.exposure.include=uniqueconstraints",
                        "management.endpoints.jmx.exposure.include=uniqueconstraints",
                        "spring.jmx.enabled=true")
                .run();
        members = application.getBean(Members.class);
    }

    @AfterAll
    static void stop() {
        SpringApplication.exit(application);
    }

    @Test
    void namesEveryViolatedConstraint() {
        members.insert(member("both", "both@example.org"));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> members.save(member("both", "both@example.org")))
                .withMessageContaining("member-login (login)")
                .withMessageMatching(".*member\\.email(;.*)?")
                .satisfies(duplicate -> assertThat(duplicate.violations())
                        .extracting(Violation::constraint)
                        .containsExactlyInAnyOrder("member-login", "member.email"));
    }

    @Test
    void looksAtAllNamesOfARepairBeforeTheFirstIsRepaired() {
        UniqueProperties properties = new Binder(new MapConfigurationPropertySource(
                        Map.of("surewrite.unique.repair", "coupon.code,coupon.kode")))
                .bindOrCreate("surewrite.unique", UniqueProperties.class);
        ApplicationRunner repair = new SurewriteUniqueAutoConfiguration()
                .surewriteUniqueRepair(
                        application.getBean(UniqueCatalog.class),
                        new StaticListableBeanFactory().getBeanProvider(UniqueConstraints.class),
                        properties);
        assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
                .isThrownBy(() -> repair.run(new DefaultApplicationArguments()))
                .satisfies(refused ->
                        assertThat(refused.getReason()).contains("There is no unique constraint 'coupon.kode'"));
    }

    @Test
    void refusesToDeleteWithoutLooking() {
        assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
                .isThrownBy(() -> members.overwritePartition(UUID.randomUUID(), List.of()))
                .withMessageContaining("deletes rows without looking at them");
    }

    @Test
    void doesNotRetryADuplicate() {
        IdempotentMembers idempotent = application.getBean(IdempotentMembers.class);
        Member row = member("careful", "careful@example.org");
        assertThat(idempotent.save(row)).isEqualTo(row);
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> idempotent.save(member("careful", "careless@example.org")));
    }

    @Test
    void refusesWhatCannotBeClaimed() {
        Member large = member("large", "x".repeat(33_000));
        assertThatExceptionOfType(UnclaimableValueException.class)
                .isThrownBy(() -> members.save(large))
                .withMessageContaining("member.email");
        assertThat(members.existsById(large.id())).isFalse();
        Member half = member("half", "\ud83d@example.org");
        assertThatIllegalArgumentException().as("of the driver").isThrownBy(() -> members.save(half));
        members.insert(member("large", "of@example.org")); // nothing was claimed before all was looked at
        members.insert(member("half", "whole@example.org"));
    }

    @Test
    void followsPathsIntoEmbeddedObjects() {
        Residents residents = application.getBean(Residents.class);
        residents.insert(new Resident(UUID.randomUUID(), new Address("Ring 1", "Wien")));
        residents.insert(new Resident(UUID.randomUUID(), new Address("Ring 1", "Graz")));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> residents.insert(new Resident(UUID.randomUUID(), new Address("Ring 1", "WIEN"))));
    }

    @Test
    void findsARowByItsValueHoweverItIsSpelled() {
        UniqueFinder finder = application.getBean(UniqueFinder.class);
        Member member = member("Findable", "findable@example.org");
        members.insert(member);
        assertThat(finder.findKey("member-login", " fINDABLE")).contains(Map.of("id", member.id()));
        assertThat(finder.findKey("member.email", "findable@example.org")).contains(Map.of("id", member.id()));
        assertThat(finder.findKey("member.email", "FINDABLE@example.org")).isEmpty();

        members.save(member.withLogin("moved"));
        assertThat(finder.findKey("member-login", "findable")).isEmpty();
        assertThat(finder.findKey("member-login", "moved")).contains(Map.of("id", member.id()));
        members.delete(member);
        assertThat(finder.findKey("member-login", "moved")).isEmpty();
    }

    @Test
    void claimsExistingRowsAtTheStart() {
        Coupons coupons = application.getBean(Coupons.class);
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> coupons.insert(new Coupon("OLD", 50)));
        assertThat(application.getBean(UniqueConstraints.class).lastRepair("coupon.code"))
                .hasValueSatisfying(report -> assertThat(report.isValid()).isTrue());
    }

    @Test
    void showsTheLastRepairByTheEndpoint() {
        UniqueConstraintsEndpoint endpoint = application.getBean(UniqueConstraintsEndpoint.class);
        assertThat(endpoint.constraint("coupon.code").lastRepair().claimed()).isPositive();
        assertThat(endpoint.constraint("nobody")).isNull();
    }

    private static Member member(String login, @Nullable String email) {
        return new Member(UUID.randomUUID(), login, email);
    }

    @Table("member")
    record Member(
            @PrimaryKey UUID id, String login, @Nullable String email) {

        Member withLogin(String other) {
            return new Member(id, other, email);
        }
    }

    @UniqueBy(
            value = "login",
            name = "member-login",
            normalise = {Normalisation.TRIMMED, Normalisation.CASE_FOLDED})
    @UniqueBy("email")
    interface Members extends CassandraRepository<Member, UUID>, OverwriteRepository<Member> {}

    @Idempotent
    @UniqueBy(
            value = "login",
            name = "member-login",
            normalise = {Normalisation.TRIMMED, Normalisation.CASE_FOLDED})
    @UniqueBy("email")
    interface IdempotentMembers extends CassandraRepository<Member, UUID> {}

    @Table("coupon")
    record Coupon(@PrimaryKey String code, int percent) {}

    @UniqueBy("code")
    interface Coupons extends CassandraRepository<Coupon, String> {}

    record Address(String street, String town) {}

    @Table("resident")
    record Resident(@PrimaryKey UUID id, @Embedded.Nullable Address address) {}

    @UniqueBy(
            value = {"address.street", "address.town"},
            normalise = Normalisation.CASE_FOLDED)
    interface Residents extends CassandraRepository<Resident, UUID> {}

    @OwnRepositories
    @EnableAutoConfiguration
    static class Application {}
}
