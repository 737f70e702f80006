package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.WritesElsewhere;
import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.retry.Circuit;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.WriteRetryTemplate;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.ObservedMeters;
import io.surewrite.test.OwnServer;
import io.surewrite.testsupport.LongLane;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.WriteScope;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

public class RetriesOfAnApplicationIntegrationTests extends CassandraTest {

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE note (id uuid PRIMARY KEY, text text)");
    }

    @Test
    void worksWithoutTheOptionalLibraries() {
        OwnServer.with(Notes.class, runner())
                .withClassLoader(new FilteredClassLoader("io.github.resilience4j", "io.micrometer.core"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(Notes.class)
                                    .save(new Note(null, "x"))
                                    .id())
                            .isNotNull();
                });
    }

    @Test
    void saysWhichLibraryTheCircuitBreakerNeeds() {
        runner().withPropertyValues("surewrite.retry.circuit-breaker.enabled=true")
                .withClassLoader(new FilteredClassLoader("io.github.resilience4j"))
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessageContainingAll(
                                "surewrite.retry.circuit-breaker.enabled",
                                "io.github.resilience4j:resilience4j-circuitbreaker"));
    }

    @Test
    void hasACircuitBreakerIfAskedFor() {
        OwnServer.with(Notes.class, runner())
                .withPropertyValues("surewrite.retry.circuit-breaker.enabled=true")
                .withUserConfiguration(ObservedMeters.class)
                .run(context -> {
                    assertThat(context).hasSingleBean(Circuit.class);
                    context.getBean(Notes.class).save(new Note(null, "x"));
                    context.getBean(WriteRetryTemplate.class).execute("by hand", () -> null);
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("surewrite.circuit")
                                    .meters())
                            .extracting(meter -> meter.getId().getTag("circuit"))
                            .as("one for the session, whoever uses it")
                            .containsExactly("cassandraSession", "cassandraSession", "cassandraSession");
                });
    }

    @Test
    @LongLane
    void takesTheScopeToTheThreadsOfReactorWhereARetriedMethodNeedsIt() {
        Hooks.disableAutomaticContextPropagation();
        try {
            runner().withBean(WritesElsewhere.class).run(context -> {
                UUID id = UUID.randomUUID();
                WritesElsewhere notes = context.getBean(WritesElsewhere.class);
                Mono<Boolean> save = notes.save(id).contextWrite(ReactiveWriteScope.enter(WriteScope.at(4711)));
                assertThat(save.block()).isTrue();
                assertThat(session.execute("SELECT writetime(text) FROM note WHERE id = ?", id)
                                .one()
                                .getLong(0))
                        .isEqualTo(4711);
            });
        } finally {
            Hooks.disableAutomaticContextPropagation();
        }
    }

    @Test
    @LongLane
    void refusesARetriedMethodThatWritesWhereTheScopeDoesNotFollow() {
        Hooks.disableAutomaticContextPropagation();
        runner().withBean(WritesElsewhere.class)
                .withPropertyValues("spring.reactor.context-propagation=limited")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContainingAll(
                                "WritesElsewhere.save cannot be @Idempotent",
                                "set spring.reactor.context-propagation=auto"));
    }

    private static ApplicationContextRunner runner() {
        return application().withConfiguration(AutoConfigurations.of(DataCassandraReactiveAutoConfiguration.class));
    }

    @Table
    public record Note(@Id UUID id, String text) {}

    public interface Notes extends CassandraRepository<Note, UUID> {
        @Override
        @Idempotent
        <S extends Note> S save(S note);
    }
}
