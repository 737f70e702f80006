package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

import com.example.SendsItself;
import io.surewrite.lease.WithLease;
import io.surewrite.overwrite.Overwriting;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.InvalidConfigurationException;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;
import org.springframework.data.repository.core.NamedQueries;
import org.springframework.data.repository.core.support.PropertiesBasedNamedQueries;

/** One start reports what is refused of all repositories; none of them runs meanwhile. */
class AllRefusalsIntegrationTests extends CassandraTest {

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE page (id uuid PRIMARY KEY, name text)");
        session.execute("CREATE TABLE listed (id uuid PRIMARY KEY, links list<text>, notes list<text>)");
        session.execute("CREATE TABLE lasting (id uuid PRIMARY KEY, name text) WITH default_time_to_live = 600");
    }

    @Test
    void reportsEveryMethodOfEveryRepository() {
        application(Lists.class, UsesNow.class, Misspelt.class, SaysSoOfOne.class)
                .run(context -> {
                    InvalidConfigurationException refused = refused(context.getStartupFailure());
                    assertThat(refused.refusals())
                            .extracting(Throwable::getMessage)
                            .satisfiesExactly(
                                    first -> assertThat(first)
                                            .startsWith("@UniqueBy on Misspelt.save: it names 'title', ")
                                            .contains("Name one of id, name."),
                                    second -> assertThat(second)
                                            .startsWith("@UniqueBy on Misspelt: it names 'nam', ")
                                            .contains("Name one of id, name."),
                                    third -> assertThat(third)
                                            .startsWith(
                                                    "Lists.insert, Lists.save, Lists.saveAll cannot be @Idempotent:")
                                            .contains("'links': ", "'notes': "),
                                    fourth -> assertThat(fourth)
                                            .startsWith("SaysSoOfOne.insert cannot be @Idempotent:")
                                            .contains("@Idempotent(extendTtl = true)"),
                                    fifth -> assertThat(fifth).startsWith("UsesNow.add cannot be @Idempotent:"),
                                    sixth -> assertThat(sixth).startsWith("UsesNow.change cannot be @Idempotent:"));
                    assertThat(refused.getMessage())
                            .contains("Misspelt", "Lists.save", "UsesNow.add", "UsesNow.change");
                });
    }

    /** Whoever finds it, and whenever: repositories, beans, methods that no proxy reaches, senders past the scope. */
    @Test
    @LongLane
    void reportsWhatIsNoRepositoryBesideThem() {
        application(UsesNow.class)
                .withBean(Never.class)
                .withBean(Nightly.class)
                .withBean(Unreachable.class)
                .withBean(SendsItself.Careless.class)
                .run(context -> assertThat(refused(context.getStartupFailure()).refusals())
                        .extracting(InvalidConfigurationException::subject)
                        .containsExactly(
                                "Nightly.run",
                                "Unreachable.run",
                                "Careless.write",
                                "Never.again",
                                "UsesNow.add",
                                "UsesNow.change"));
    }

    @Test
    @LongLane
    void noMethodOfARefusedBeanRuns() {
        application()
                .withBean(Never.class)
                .withUserConfiguration(Never.Caller.class)
                .run(context -> assertThat(refused(context.getStartupFailure()))
                        .isSameAs(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                        .hasMessageContaining("Never.again cannot be"));
    }

    /** A bean may call it before the last repository was looked at. */
    @Test
    void noMethodOfARefusedRepositoryRuns() {
        UUID id = UUID.randomUUID();
        application(UsesNow.class)
                .withBean(Eager.class, () -> new Eager(id))
                .withUserConfiguration(Eager.Config.class)
                .run(context -> {
                    assertThat(refused(context.getStartupFailure())).hasMessageContaining("UsesNow.add");
                    assertThat(session.execute("SELECT id FROM page WHERE id = " + id)
                                    .one())
                            .isNull();
                });
    }

    @Test
    @LongLane
    void whatIsMadeLateIsRefusedAtOnce() {
        runner(PropertiesBasedNamedQueries.EMPTY, true, UsesNow.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> context.getBean("UsesNow"))
                    .satisfies(late -> assertThat(refused(late)).hasMessageContaining("UsesNow.add"));
        });
    }

    @Test
    @LongLane
    void savesThatOverwriteArePlannedAtTheStart() {
        application(PlainLists.class, OverwritingLists.class)
                .withPropertyValues("surewrite.overwrite.on-save=true")
                .run(context -> assertThat(refused(context.getStartupFailure()).refusals())
                        .extracting(Throwable::getMessage)
                        .satisfiesExactlyInAnyOrder(
                                plain -> assertThat(plain)
                                        .contains("PlainLists saves by overwriting", "Columns links, notes of")
                                        .contains("non-frozen lists"),
                                own -> assertThat(own).contains("OverwritingLists")));
    }

    @Test
    @LongLane
    void namedQueriesAreJudgedLikeAnyOther() {
        Properties queries = new Properties();
        queries.put("Page.named", "SELECT * FROM page WHERE id = ?0");
        queries.put("Page.rename", "UPDATE page SET name = 'new' WHERE id = ?1");
        UUID id = UUID.randomUUID();
        runner(new PropertiesBasedNamedQueries(queries), false, Named.class, KeepsLonger.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Named pages = context.getBean(Named.class);
                    pages.rename("new", id);
                    assertThat(pages.named(id)).extracting(Page::name).isEqualTo("new");
                    context.getBean(KeepsLonger.class).put(id);
                    assertThat(session.execute("SELECT ttl(name) FROM page WHERE id = " + id)
                                    .one()
                                    .getInt(0))
                            .as("of a method that extends its time to live")
                            .isPositive();
                });
    }

    @Test
    @LongLane
    void aNamedQueryOfAGuardedRepositoryIsJudged() {
        Properties queries = new Properties();
        queries.put("Page.rename", "UPDATE page SET name = 'new' WHERE id = ?1");
        queries.put("Page.named", "SELECT * FROM page WHERE id = ?0");
        runner(new PropertiesBasedNamedQueries(queries), false, UniqueNames.class)
                .run(context -> assertThat(refused(context.getStartupFailure()))
                        .hasMessageContainingAll("UniqueNames.rename", "not every value is a parameter"));
    }

    private static InvalidConfigurationException refused(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof InvalidConfigurationException)) {
            cause = cause.getCause();
        }
        assertThat(cause).as("a cause of %s", failure).isNotNull();
        return (InvalidConfigurationException) cause;
    }

    private static ApplicationContextRunner application(Class<?>... repositories) {
        return runner(PropertiesBasedNamedQueries.EMPTY, false, repositories);
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    private static ApplicationContextRunner runner(NamedQueries queries, boolean lazy, Class<?>... repositories) {
        ApplicationContextRunner runner = application();
        for (Class<?> repository : repositories) {
            runner = runner.withBean(
                    repository.getSimpleName(),
                    CassandraRepositoryFactoryBean.class,
                    () -> new CassandraRepositoryFactoryBean(repository),
                    definition -> {
                        definition.setLazyInit(lazy);
                        definition
                                .getPropertyValues()
                                .add("namedQueries", queries)
                                .add("cassandraTemplate", new RuntimeBeanReference(CassandraTemplate.class));
                    });
        }
        return runner;
    }

    static class Never {
        @Idempotent(attempts = 0)
        public void again() {
            fail("no refused method runs");
        }

        @Configuration(proxyBeanMethods = false)
        static class Caller {

            @Bean
            InitializingBean callsAtOnce(Never never) {
                return never::again;
            }
        }
    }

    static class Nightly {
        @WithLease(key = "'night'", ttl = "300ms")
        public void run() {}
    }

    static class Unreachable {
        @WithLease("night")
        public final void run() {}
    }

    /** The id of a row that must not be written. */
    record Eager(UUID id) {

        @Configuration(proxyBeanMethods = false)
        static class Config {

            @Bean
            InitializingBean writesAtOnce(ObjectProvider<UsesNow> pages, Eager eager) {
                return () -> pages.getObject().save(new Page(eager.id(), "too early"));
            }
        }
    }

    @Table("page")
    record Page(@Id UUID id, String name) {}

    @Table("listed")
    record Listed(@Id UUID id, List<String> links, List<String> notes) {}

    @Table("lasting")
    record Lasting(@Id UUID id, String name) {}

    @Idempotent
    interface Lists extends CassandraRepository<Listed, UUID> {}

    interface PlainLists extends CassandraRepository<Listed, UUID> {}

    @Overwriting
    interface OverwritingLists extends CassandraRepository<Listed, UUID> {}

    interface UsesNow extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("INSERT INTO page (id, name) VALUES (now(), ?0)")
        void add(String name);

        @Idempotent
        @Query("UPDATE page SET name = ?0 WHERE id = ?1 IF EXISTS")
        void change(String name, UUID id);
    }

    @UniqueBy("nam")
    interface Misspelt extends CassandraRepository<Page, UUID> {
        @Override
        @UniqueBy("title")
        <S extends Page> S save(S page);
    }

    interface Named extends CassandraRepository<Page, UUID> {
        @Idempotent
        Page named(UUID id);

        @Idempotent
        void rename(String name, UUID id);
    }

    @UniqueBy("name")
    interface UniqueNames extends CassandraRepository<Page, UUID> {
        Page named(UUID id);

        void rename(String name, UUID id);
    }

    interface KeepsLonger extends CassandraRepository<Page, UUID> {
        @Idempotent(extendTtl = true)
        @Query("INSERT INTO page (id, name) VALUES (?0, 'kept') USING TTL 60")
        void put(UUID id);
    }

    interface SaysSoOfOne extends CassandraRepository<Lasting, UUID> {
        @Override
        @Idempotent(extendTtl = true)
        <S extends Lasting> S save(S row);

        @Override
        @Idempotent
        <S extends Lasting> S insert(S row);
    }
}
