package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.overwrite.ReactiveOverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UnclaimableValueException;
import io.surewrite.unique.UniqueBy;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Unique values through reactive repositories. */
class ReactiveUniqueIntegrationTests extends CassandraTest {

    private final UUID id = UUID.randomUUID();
    private final String login = "login-" + id;

    @Table("member")
    record Member(
            @PrimaryKey UUID id, String login, @Nullable String city) {}

    @UniqueBy("login")
    interface Members extends ReactiveCassandraRepository<Member, UUID>, ReactiveOverwriteRepository<Member> {}

    @Idempotent
    @UniqueBy("login")
    interface RetriedMembers extends ReactiveCassandraRepository<Member, UUID> {}

    @Configuration(proxyBeanMethods = false)
    @EnableReactiveCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.REGEX, pattern = ".*\\.ReactiveUniqueIntegrationTests\\$.*"))
    static class Repositories {

        @Bean
        ReactiveBeforeConvertCallback<Member> strip() {
            return (member, table) ->
                    Mono.just(new Member(member.id(), member.login().strip(), member.city()));
        }
    }

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE member (id uuid PRIMARY KEY, login text, city text)");
    }

    @Test
    void letsOnlyOneHaveAValue() {
        run(members -> {
            StepVerifier.create(members.insert(member(" " + login)))
                    .assertNext(saved -> assertThat(saved.login()).isEqualTo(login))
                    .verifyComplete();
            StepVerifier.create(members.insert(other(login))).verifyError(DuplicateValueException.class);
            StepVerifier.create(members.save(other(login))).verifyError(DuplicateValueException.class);
            StepVerifier.create(members.overwrite(other(login))).verifyError(DuplicateValueException.class);
        });
    }

    @Test
    void movesAndFreesValues() {
        run(members -> {
            StepVerifier.create(members.save(member(login))
                            .then(members.save(member(login + " moved")))
                            .then(members.insert(other(login)))
                            .then(members.delete(member("")))
                            .then(members.insert(other(login + " moved")))
                            .then(members.existsById(id)))
                    .expectNext(false)
                    .verifyComplete();
        });
    }

    @Test
    void writesManyUntilADuplicate() {
        run(members -> {
            Member first = other(login + "1");
            Member last = other(login + "3");
            StepVerifier.create(members.saveAll(Flux.just(first)))
                    .expectNext(first)
                    .verifyComplete();
            StepVerifier.create(members.saveAll(List.of(other(login + "1"))))
                    .verifyError(DuplicateValueException.class);
            StepVerifier.create(members.insert(List.of(last, other(login + "4"))))
                    .expectNextCount(2)
                    .verifyComplete();
            StepVerifier.create(members.deleteById(Mono.just(first.id()))
                            .then(members.deleteAll(Flux.just(last)))
                            .then(members.insert(other(login + "1")))
                            .then(members.insert(other(login + "3"))))
                    .expectNextCount(1)
                    .verifyComplete();
        });
    }

    @Test
    void sendsNothingBeforeSomebodySubscribes() {
        run(members -> {
            Mono<Member> insert = members.insert(member(login));
            StepVerifier.create(members.existsById(id)).expectNext(false).verifyComplete();
            StepVerifier.create(insert.then(members.existsById(id)))
                    .expectNext(true)
                    .verifyComplete();
        });
    }

    @Test
    void refusesWhatCannotBeClaimed() {
        run(members -> {
            StepVerifier.create(members.insert(member("x".repeat(33_000))))
                    .verifyError(UnclaimableValueException.class);
        });
    }

    @Test
    void countsAllAttemptsOfARetryAsOneWrite() {
        RetriedMembers members = shared(List.of(), Repositories.class).getBean(RetriedMembers.class);
        StepVerifier.create(members.insert(member(login))).expectNextCount(1).verifyComplete();
        StepVerifier.create(members.insert(other(login))).verifyError(DuplicateValueException.class);
    }

    private static void run(Consumer<Members> test) {
        test.accept(shared(List.of(), Repositories.class).getBean(Members.class));
    }

    private Member member(String wanted) {
        return new Member(id, wanted, null);
    }

    private static Member other(String wanted) {
        return new Member(UUID.randomUUID(), wanted, "elsewhere");
    }
}
