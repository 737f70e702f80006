package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import com.datastax.oss.driver.api.core.cql.Row;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.observe.UniqueConstraintsEndpoint;
import io.surewrite.observe.UniqueConstraintsEndpoint.Action;
import io.surewrite.observe.UniqueHealthIndicator;
import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.Normalisation;
import io.surewrite.unique.NullRule;
import io.surewrite.unique.UnclaimableValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueReport;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.unique.Violation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.mapping.Embedded;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.repository.CrudRepository;

/** Unique values through repositories, as an application has them. */
class UniqueRepositoriesIntegrationTests extends CassandraTest {

    private static ConfigurableApplicationContext application;
    private static Members members;

    @BeforeAll
    static void start() {
        session.execute(
                "CREATE TABLE member (id uuid PRIMARY KEY, login text, email text, city text, street text, town text)");
        session.execute("CREATE TABLE coupon (code text PRIMARY KEY, percent int)");
        session.execute("CREATE TABLE pair (id uuid PRIMARY KEY, a text, b text)");
        StringBuilder columns = new StringBuilder();
        for (int i = 1; i <= 20; i++) {
            columns.append(", c").append(i).append(" text");
        }
        session.execute("CREATE TABLE wide (id uuid PRIMARY KEY" + columns + ")");
        session.execute("INSERT INTO coupon (code, percent) VALUES ('OLD', 5)");
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(connection())
                .properties(
                        "surewrite.schema.initialize=always",
                        "surewrite.unique.build=coupon.code",
                        "surewrite.unique.scan.slices=16",
                        "management.endpoint.uniqueconstraints.access=read-only",
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
    void letsOnlyOneHaveALoginInAnyCase() {
        members.insert(member("Anna", "anna@example.org"));
        Member second = member(" aNNA", "other@example.org");
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> members.insert(second))
                .satisfies(duplicate -> assertThat(duplicate.violations())
                        .extracting(Violation::constraint, Violation::properties)
                        .containsExactly(tuple("member-login", List.of("login"))))
                .withMessageContaining("member-login (login)")
                .withMessageNotContaining("aNNA");
        assertThat(members.findById(second.id())).isEmpty();
        members.insert(member("Other", "other@example.org")); // its address was given back
    }

    @Test
    void namesEveryViolatedConstraint() {
        members.insert(member("both", "both@example.org"));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> members.save(member("both", "both@example.org")))
                .satisfies(duplicate -> assertThat(duplicate.violations())
                        .extracting(Violation::constraint)
                        .containsExactlyInAnyOrder("member-login", "member.email"));
    }

    @Test
    void freesTheOldValueOfAChange() {
        Member before = member("before", "change@example.org");
        members.save(before);
        members.save(before.withLogin("after"));
        members.insert(member("before", "elsewhere@example.org"));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> members.insert(member("after", "third@example.org")));
        assertThat(members.findById(before.id()).orElseThrow().login()).isEqualTo("after");
    }

    @Test
    void leavesARowAsItWasWhenAChangeIsRefused() {
        members.insert(member("taken", "taken@example.org"));
        Member row = member("mine", "mine@example.org");
        members.insert(row);
        assertThatExceptionOfType(DuplicateValueException.class).isThrownBy(() -> members.save(row.withLogin("Taken")));
        assertThat(members.findById(row.id())).contains(row);
    }

    @Test
    void writesTheOtherColumnsOfAnUnchangedRow() {
        Member row = member("same", "same@example.org");
        members.save(row);
        members.save(row.withCity("Graz"));
        assertThat(members.findById(row.id()).orElseThrow().city()).isEqualTo("Graz");
        members.save(row);
        assertThat(members.findById(row.id()).orElseThrow().city()).isNull();
    }

    @Test
    void freesTheValuesOfDeletedRows() {
        Member one = member("gone1", "gone1@example.org");
        Member two = member("gone2", "gone2@example.org");
        Member three = member("gone3", "gone3@example.org");
        Member four = member("gone4", "gone4@example.org");
        members.saveAll(List.of(one, two, three, four));
        members.delete(one);
        members.deleteById(two.id());
        members.deleteAll(List.of(three));
        members.deleteAllById(List.of(four.id()));
        assertThat(members.findAllById(List.of(one.id(), two.id(), three.id(), four.id())))
                .isEmpty();
        members.saveAll(List.of(
                member("gone1", "gone1@example.org"),
                member("gone2", "gone2@example.org"),
                member("gone3", "gone3@example.org"),
                member("gone4", "gone4@example.org")));
    }

    @Test
    void findsDuplicatesAmongRowsSavedTogether() {
        Member first = member("twin", "twin1@example.org");
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> members.saveAll(List.of(first, member("TWIN", "twin2@example.org"))));
        assertThat(members.existsById(first.id())).isTrue();
    }

    @Test
    void guardsOverwrites() {
        Member row = member("over", "over@example.org").withCity("Linz");
        members.insertNew(row);
        members.overwrite(row.withLogin("written").withCity(null));
        assertThat(members.findById(row.id()).orElseThrow())
                .isEqualTo(row.withLogin("written").withCity(null));
        members.insert(member("over", "over2@example.org"));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> members.overwriteAll(List.of(member("written", "over3@example.org"))));
        assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
                .isThrownBy(() -> members.overwrite(row, OverwriteOptions.none().withTtl(Duration.ofHours(1))))
                .withMessageContaining("without options");
    }

    @Test
    void refusesToDeleteWithoutLooking() {
        assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
                .isThrownBy(members::deleteAll)
                .withMessageContaining("deleteAll(findAll())");
        assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
                .isThrownBy(() -> members.overwritePartition(UUID.randomUUID(), List.of()))
                .withMessageContaining("Members.overwritePartition");
    }

    @Test
    void takesEveryAttemptInAScopeForOneWrite() {
        Member row = member("retried", "retried@example.org");
        WriteScope scope =
                WriteScope.at(application.getBean(WriteTimestamps.class).nextPair());
        scope.call(() -> members.insert(row));
        scope.call(() -> members.insert(row));
        // The second claim replaced the first, which takes one tick.
        assertThat(written("member", "login", row.id())).isBetween(scope.timestamp(), scope.timestamp() + 1);
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
    void runsCallbacksOnceAndGuardsWhatTheyMake() {
        Member row = member("callback", "CALLBACK@EXAMPLE.ORG");
        Member saved = members.save(row.withCity("  twice  "));
        assertThat(saved.city()).isEqualTo("[twice]");
        assertThat(members.findById(row.id()).orElseThrow().city()).isEqualTo("[twice]");
    }

    @Test
    void tellsAnInsertOfTheSameKeyFromItsOwnRetry() {
        Coupons coupons = application.getBean(Coupons.class);
        WriteScope scope =
                WriteScope.at(application.getBean(WriteTimestamps.class).nextPair());
        Coupon coupon = new Coupon("SPRING", 10);
        scope.call(() -> coupons.insert(coupon));
        scope.call(() -> coupons.insert(coupon));
        assertThatExceptionOfType(DuplicateValueException.class).isThrownBy(() -> coupons.insert(coupon));
    }

    @Test
    void keepsPartsOfACompoundApart() {
        Pairs pairs = application.getBean(Pairs.class);
        pairs.insert(new Pair(UUID.randomUUID(), "a", "bc"));
        pairs.insert(new Pair(UUID.randomUUID(), "ab", "c"));
        pairs.insert(new Pair(UUID.randomUUID(), "", "abc"));
        pairs.insert(new Pair(UUID.randomUUID(), "abc", ""));
        pairs.insert(new Pair(UUID.randomUUID(), "", ""));
        pairs.insert(new Pair(UUID.randomUUID(), null, ""));
        for (Pair again : List.of(
                new Pair(UUID.randomUUID(), "a", "bc"),
                new Pair(UUID.randomUUID(), "", ""),
                new Pair(UUID.randomUUID(), null, ""))) {
            assertThatExceptionOfType(DuplicateValueException.class).isThrownBy(() -> pairs.insert(again));
        }
    }

    @Test
    void claimsNothingForANull() {
        members.insert(member("null1", null));
        members.insert(member("null2", null));
    }

    @Test
    void refusesWhatCannotBeClaimed() {
        Member half = member("half", "\ud83d@example.org");
        Member large = member("large", "x".repeat(33_000));
        for (Member wrong : List.of(half, large)) {
            assertThatExceptionOfType(UnclaimableValueException.class)
                    .isThrownBy(() -> members.save(wrong))
                    .withMessageContaining("member.email");
            assertThat(members.existsById(wrong.id())).isFalse();
        }
        members.insert(member("half", "whole@example.org")); // nothing was claimed before all was looked at
    }

    @Test
    void guardsTwentyConstraintsOfOneEntity() {
        Wides wides = application.getBean(Wides.class);
        wides.insert(wide("x"));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> wides.insert(wide("x")))
                .satisfies(duplicate -> assertThat(duplicate.violations()).hasSize(20));
        wides.insert(wide("y"));
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
    void findsARowByPartsAndByItsKey() {
        UniqueFinder finder = application.getBean(UniqueFinder.class);
        Pair pair = new Pair(UUID.randomUUID(), null, "findable");
        application.getBean(Pairs.class).insert(pair);
        application.getBean(Coupons.class).insert(new Coupon("FINDABLE", 5));
        assertThat(finder.findKey("pair.a+b", null, "findable")).contains(Map.of("id", pair.id()));
        assertThat(finder.findKey("coupon.code", "FINDABLE")).contains(Map.of("code", "FINDABLE"));
    }

    @Test
    void looksForNothingByAConstraintThatIsNotThere() {
        UniqueFinder finder = application.getBean(UniqueFinder.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> finder.findKey("member-name", "x"))
                .withMessageContainingAll("member-name", "member-login");
        assertThatIllegalArgumentException().isThrownBy(() -> finder.findKey("pair.a+b", "x"));
    }

    @Test
    void listsTheConstraints() {
        assertThat(application.getBean(UniqueCatalog.class).entries())
                .extracting(entry -> entry.constraint().name())
                .contains("member-login", "member.email", "pair.a+b", "wide.c20", "coupon.code")
                .contains("member.street+town~case_folded");
    }

    @Test
    void isCountedAndShown() {
        members.insert(member("counted", "counted@example.org"));
        MeterRegistry registry = application.getBean(MeterRegistry.class);
        assertThat(registry.get("surewrite.unique.call")
                        .tags("operation", "insert", "outcome", "succeeded")
                        .timer()
                        .count())
                .isPositive();
        assertThat(registry.get("surewrite.unique.claim")
                        .tags("constraint", "member-login")
                        .counter()
                        .count())
                .isPositive();
        assertThat(application.getBean(UniqueConstraintsEndpoint.class).constraints())
                .filteredOn(shown -> shown.name().equals("member-login"))
                .singleElement()
                .satisfies(shown ->
                        assertThat(shown.repositories()).containsExactlyInAnyOrder("Members", "IdempotentMembers"));
    }

    @Test
    void buildsClaimsAtTheStart() {
        Coupons coupons = application.getBean(Coupons.class);
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> coupons.insert(new Coupon("OLD", 50)));
        assertThat(application.getBean(UniqueConstraints.class).lastBuild("coupon.code"))
                .get()
                .extracting(UniqueReport::state)
                .isEqualTo(UniqueReport.State.VALID);
        assertThat(application
                        .getBean(MeterRegistry.class)
                        .get("surewrite.unique.scan.progress")
                        .tag("constraint", "coupon.code")
                        .gauge()
                        .value())
                .isEqualTo(1);
    }

    @Test
    void buildsAuditsAndRepairsByTheEndpoint() {
        session.execute("INSERT INTO pair (id, a, b) VALUES (uuid(), 'was', 'there')");
        UniqueConstraintsEndpoint endpoint = application.getBean(UniqueConstraintsEndpoint.class);
        assertThat(endpoint.constraint("pair.a+b"))
                .satisfies(details -> assertThat(details.job()).isNull());
        for (Action action : Action.values()) {
            assertThat(endpoint.start("pair.a+b", action).state()).isEqualTo("running");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(
                                    endpoint.constraint("pair.a+b").job())
                            .satisfies(job -> {
                                assertThat(job.action()).isEqualTo(action);
                                assertThat(job.state()).isEqualTo("done");
                                assertThat(job.report().state()).isEqualTo(UniqueReport.State.VALID);
                            }));
        }
        assertThat(endpoint.constraint("pair.a+b").lastBuild().claimed()).isPositive();
        assertThat(endpoint.constraint("nobody")).isNull();
        assertThat(endpoint.start("nobody", Action.AUDIT)).isNull();
    }

    @Test
    void isHealthyAndObserved() {
        assertThat(application.getBean(UniqueHealthIndicator.class).health().getStatus())
                .isEqualTo(Status.UP);
        members.insert(member("observed", "observed@example.org"));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> members.insert(member("observed", "else@example.org")));
        TestObservationRegistryAssert.assertThat(application.getBean(TestObservationRegistry.class))
                .hasAnObservationWithAKeyValue("operation", "insert")
                .hasAnObservationWithAKeyValue("outcome", "succeeded")
                .hasAnObservationWithAKeyValue("outcome", "duplicate");
    }

    @Test
    void guardsCallsThroughAMoreGeneralInterface() {
        CrudRepository<Pair, UUID> pairs = application.getBean(Pairs.class);
        pairs.save(new Pair(UUID.randomUUID(), "general", "x"));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> pairs.save(new Pair(UUID.randomUUID(), "general", "x")));
    }

    private static long written(String table, String column, UUID id) {
        Row row = session.execute("SELECT WRITETIME(%s) FROM %s WHERE id = ?".formatted(column, table), id)
                .one();
        return row == null ? 0 : row.getLong(0);
    }

    private static Member member(String login, @Nullable String email) {
        return new Member(UUID.randomUUID(), login, email, null);
    }

    private static Wide wide(String v) {
        return new Wide(UUID.randomUUID(), v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v);
    }

    @Table("member")
    record Member(
            @PrimaryKey UUID id,
            String login,
            @Nullable String email,
            @Nullable String city) {

        Member withLogin(String other) {
            return new Member(id, other, email, city);
        }

        Member withCity(@Nullable String other) {
            return new Member(id, login, email, other);
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

    @Table("pair")
    record Pair(@PrimaryKey UUID id, @Nullable String a, String b) {}

    @UniqueBy(
            value = {"a", "b"},
            nulls = NullRule.EQUAL)
    interface Pairs extends CassandraRepository<Pair, UUID> {

        @Override
        <S extends Pair> S save(S pair);
    }

    record Address(String street, String town) {}

    @Table("member")
    record Resident(@PrimaryKey UUID id, @Embedded.Nullable Address address) {}

    @UniqueBy(
            parts = {
                @UniqueBy.Part("address.street"),
                @UniqueBy.Part(value = "address.town", normalise = Normalisation.CASE_FOLDED)
            })
    interface Residents extends CassandraRepository<Resident, UUID> {}

    @Table("wide")
    record Wide(
            @PrimaryKey UUID id,
            String c1,
            String c2,
            String c3,
            String c4,
            String c5,
            String c6,
            String c7,
            String c8,
            String c9,
            String c10,
            String c11,
            String c12,
            String c13,
            String c14,
            String c15,
            String c16,
            String c17,
            String c18,
            String c19,
            String c20) {}

    @UniqueBy("c1")
    @UniqueBy("c2")
    @UniqueBy("c3")
    @UniqueBy("c4")
    @UniqueBy("c5")
    @UniqueBy("c6")
    @UniqueBy("c7")
    @UniqueBy("c8")
    @UniqueBy("c9")
    @UniqueBy("c10")
    @UniqueBy("c11")
    @UniqueBy("c12")
    @UniqueBy("c13")
    @UniqueBy("c14")
    @UniqueBy("c15")
    @UniqueBy("c16")
    @UniqueBy("c17")
    @UniqueBy("c18")
    @UniqueBy("c19")
    @UniqueBy("c20")
    interface Wides extends CassandraRepository<Wide, UUID> {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.REGEX, pattern = ".*\\.UniqueRepositoriesIntegrationTests\\$.*"))
    static class Application {

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        TestObservationRegistry observations() {
            return TestObservationRegistry.create();
        }

        @Bean
        BeforeConvertCallback<Member> brackets() {
            return (member, table) -> {
                String city = member.city();
                return city == null || !city.startsWith(" ") ? member : member.withCity("[" + city.strip() + "]");
            };
        }
    }
}
