package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueBy.Normalisation;
import io.surewrite.unique.UniqueBy.NullRule;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.mapping.Embedded;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** An application whose repositories have unique values. */
final class UniqueApplication {

    private UniqueApplication() {}

    /** Makes the tables, with a row that was there before, and starts it. */
    static ConfigurableApplicationContext start(CqlSession session, String... connection) {
        session.execute("CREATE TABLE member (id uuid PRIMARY KEY, login text, email text, city text)");
        session.execute("CREATE TABLE resident (id uuid PRIMARY KEY, street text, town text)");
        session.execute("CREATE TABLE coupon (code text PRIMARY KEY, percent int)");
        session.execute("CREATE TABLE pair (id uuid PRIMARY KEY, a text, b text)");
        session.execute("INSERT INTO coupon (code, percent) VALUES ('OLD', 5)");
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(connection)
                .properties(
                        "surewrite.schema.initialize=always",
                        "surewrite.unique.repair=coupon.code",
                        "management.endpoints.web.exposure.include=uniqueconstraints",
                        "management.endpoints.jmx.exposure.include=uniqueconstraints",
                        "spring.jmx.enabled=true")
                .run();
    }

    static Member member(String login, @Nullable String email) {
        return new Member(UUID.randomUUID(), login, email, null);
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

    @Table("resident")
    record Resident(@PrimaryKey UUID id, @Embedded.Nullable Address address) {}

    @UniqueBy(
            value = {"address.street", "address.town"},
            normalise = Normalisation.CASE_FOLDED)
    interface Residents extends CassandraRepository<Resident, UUID> {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.REGEX, pattern = ".*\\.UniqueApplication\\$.*"))
    static class Application {

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        TestObservationRegistry observations(MeterRegistry meters) {
            TestObservationRegistry observations = TestObservationRegistry.create();
            observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
            return observations;
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
