package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.test.Refused;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.WriteReceipt;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;

/** What must not wait keeps the application from starting, and so does a backlog that cannot work. */
class KeptWritesRefusalIntegrationTests extends CassandraTest {

    @TempDir
    private Path directory;

    private static Refused refused;

    @BeforeAll
    static void start(@TempDir Path directory) {
        session.execute("CREATE TABLE page (id uuid PRIMARY KEY, name text)");
        session.execute("CREATE TABLE ageing (id uuid PRIMARY KEY, name text) WITH default_time_to_live = 60");
        refused = Refused.of(
                OwnServer.with(AllRight.class, application())
                        .withPropertyValues(
                                "surewrite.backlog.enabled=true", "surewrite.backlog.directory=" + directory),
                Pages.class,
                OnTheWholeType.class,
                DefaultTtl.class,
                Unique.class);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refusal("Pages.saveAll", "half of an operation"),
                refusal("Pages.answersWhetherApplied", "answers boolean", "WriteReceipt"),
                refusal("Pages.look", "writes nothing"),
                refusal("said of the whole type", "of each method"),
                refusal("Pages.put", "bind it: USING TTL ?"),
                refusal("DefaultTtl.save", "state it: USING TTL ?"),
                refusal("Unique.save", "@UniqueBy decides by conditions"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refusesToStart(String[] messages) {
        refused.saying(messages);
    }

    @Test
    void acceptsWhatMayWait() {
        refused.sayingNothingOf("AllRight");
    }

    @Test
    void saysWhichLibraryIsMissing() {
        application(AllRight.class)
                .withClassLoader(new FilteredClassLoader("org.sqlite"))
                .run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                        .isInstanceOfSatisfying(
                                InvalidConfigurationPropertyValueException.class,
                                wrong -> assertThat(wrong.getReason()).contains("org.xerial:sqlite-jdbc")));
    }

    private ApplicationContextRunner application(Class<?> repository) {
        return OwnServer.with(repository, application())
                .withPropertyValues("surewrite.backlog.enabled=true", "surewrite.backlog.directory=" + directory);
    }

    private static Arguments refusal(String... messages) {
        return Arguments.of((Object) messages);
    }

    @Table("page")
    record Page(@Id UUID id, String name) {}

    @Table("ageing")
    record Ageing(@Id UUID id, String name) {}

    interface Pages extends CassandraRepository<Page, UUID> {

        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends Page> List<S> saveAll(Iterable<S> pages);

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        @Query("UPDATE page SET name = ?0 WHERE id = ?1")
        boolean answersWhetherApplied(String name, UUID id);

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        @Query("SELECT * FROM page WHERE id = ?0")
        void look(UUID id);

        @Idempotent(extendTtl = true, whenExhausted = WhenExhausted.BACKLOG)
        @Query("INSERT INTO page (id, name) VALUES (?0, ?1) USING TTL 60")
        void put(UUID id, String name);
    }

    @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
    interface OnTheWholeType extends CassandraRepository<Page, UUID> {}

    interface DefaultTtl extends CassandraRepository<Ageing, UUID> {
        @Override
        @Idempotent(extendTtl = true, whenExhausted = WhenExhausted.BACKLOG)
        <S extends Ageing> S save(S ageing);
    }

    @UniqueBy("name")
    interface Unique extends CassandraRepository<Page, UUID> {
        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends Page> S save(S page);
    }

    interface AllRight extends CassandraRepository<Page, UUID> {
        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends Page> S save(S page);

        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        void deleteById(UUID id);

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        @Query("UPDATE page SET name = ?0 WHERE id = ?1")
        WriteReceipt rename(String name, UUID id);
    }
}
