package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.WriteScope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.AsyncCassandraTemplate;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.core.query.Criteria;
import org.springframework.data.cassandra.core.query.Query;
import org.springframework.data.cassandra.core.query.Update;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.MapIdCassandraRepository;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;
import org.springframework.data.cassandra.repository.query.CassandraEntityInformation;
import org.springframework.data.cassandra.repository.support.SimpleCassandraRepository;
import org.springframework.data.mapping.callback.EntityCallbacks;
import reactor.core.publisher.Flux;

/** Whatever writes a row with a unique value: it is guarded, or refused before it is sent. */
class WaysOfWritingIntegrationTests extends CassandraTest {
    private final ApplicationContext context = shared(List.of(), Application.class, BaseClass.class);
    private final Persons persons = context.getBean(Persons.class);
    private final CassandraTemplate template = context.getBean(CassandraTemplate.class);
    private final CqlTemplate cql = context.getBean(CqlTemplate.class);
    private final Coupons coupons = context.getBean(Coupons.class);

    @Table("person")
    static class Person {
        @PrimaryKey
        UUID id;

        String login;

        @Nullable
        String note;

        Person(UUID id, @Nullable String login, @Nullable String note) {
            this.id = id;
            this.login = login;
            this.note = note;
        }
    }

    @Table("person")
    static class Employee extends Person {
        String badge;

        Employee(UUID id, String login, @Nullable String note, String badge) {
            super(id, login, note);
            this.badge = badge;
        }
    }

    @Table("stranger")
    static class Stranger extends Person {
        Stranger(UUID id, String login) {
            super(id, login, null);
        }
    }

    @UniqueBy(value = "login", name = "person-login")
    interface Persons extends CassandraRepository<Person, UUID>, Own {}

    @UniqueBy(value = "login", name = "person-login")
    @Idempotent
    interface RetriedPersons extends CassandraRepository<Person, UUID> {}

    @UniqueBy(value = "login", name = "person-login")
    interface BasedPersons extends CassandraRepository<Person, UUID> {}

    @UniqueBy(value = "login", name = "person-login")
    interface ReactivePersons extends ReactiveCassandraRepository<Person, UUID> {}

    @Table("seat")
    record Seat(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String hall,

            @PrimaryKeyColumn int number,

            String guest) {}

    @UniqueBy("guest")
    interface Seats extends MapIdCassandraRepository<Seat> {}

    @Table("coupon")
    record Coupon(@PrimaryKey String code, int percent) {}

    @UniqueBy("code")
    interface Coupons extends CassandraRepository<Coupon, String> {}

    @Table("account")
    record Account(
            @PrimaryKey UUID id, String login, @Nullable String mail) {}

    @UniqueBy("login")
    @UniqueBy("mail")
    interface Accounts extends CassandraRepository<Account, UUID> {}

    interface Own {
        void saveByFragment(Person person);
    }

    static class OwnImpl implements Own {

        private final CassandraOperations operations;

        OwnImpl(CassandraOperations operations) {
            this.operations = operations;
        }

        @Override
        public void saveByFragment(Person person) {
            operations.insert(person);
        }
    }

    static class Based<T, ID> extends SimpleCassandraRepository<T, ID> {

        public Based(CassandraEntityInformation<T, ID> entity, CassandraOperations operations) {
            super(entity, operations);
        }

        @Override
        public <S extends T> S save(S entity) {
            return super.save(entity);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(
                            type = FilterType.REGEX,
                            pattern =
                                    ".*\\.WaysOfWritingIntegrationTests\\$((Retried)?Persons|Accounts|Coupons|Seats|Own.*)"))
    @EnableReactiveCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(type = FilterType.REGEX, pattern = ".*\\.WaysOfWritingIntegrationTests\\$ReactivePersons"))
    static class Application {

        @Bean
        CassandraTemplate cassandraTemplate(CqlTemplate cql, CassandraConverter converter) {
            return new CassandraTemplate(cql, converter) {
                {
                    setEntityCallbacks(EntityCallbacks.create((BeforeConvertCallback<Person>) (person, table) -> {
                        if (person.note != null && person.note.equals("callback")) {
                            person.login = person.login.toLowerCase(Locale.ROOT);
                        } else if (person.note != null && person.note.startsWith("u")) {
                            insert(new Coupon(person.note, 2));
                        }
                        return person;
                    }));
                }

                @Override
                public void setApplicationContext(ApplicationContext context) {
                    // keeps its own callbacks
                }
            };
        }

        @Bean
        AsyncCassandraTemplate asyncTemplate(CqlSession session, CassandraConverter converter) {
            return new AsyncCassandraTemplate(session, converter);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            repositoryBaseClass = Based.class,
            includeFilters =
                    @Filter(type = FilterType.REGEX, pattern = ".*\\.WaysOfWritingIntegrationTests\\$BasedPersons"))
    static class BaseClass {}

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE person (id uuid PRIMARY KEY, login text, note text, badge text)");
        session.execute("CREATE TABLE seat (hall text, number int, guest text, PRIMARY KEY (hall, number))");
        session.execute("CREATE TABLE account (id uuid PRIMARY KEY, login text, mail text)");
        session.execute("CREATE TABLE coupon (code text PRIMARY KEY, percent int)");
    }

    private static Person person(String login) {
        return new Person(UUID.randomUUID(), login, null);
    }

    /** Nobody else asks for its repository. */
    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(type = FilterType.REGEX, pattern = ".*\\.WaysOfWritingIntegrationTests\\$RetriedPersons"))
    static class Lazy {}

    @Test
    void aTemplateIsGuardedBeforeItsRepositoryIsAskedFor() {
        application()
                .withUserConfiguration(Lazy.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(lazy -> assertThat(isGuarded(lazy, lazy.getBean(CassandraTemplate.class)::insert))
                        .isEqualTo("guarded"));
    }

    @Test
    void eachWayIsGuardedOrRefused() {
        ReactiveCassandraTemplate reactive = context.getBean(ReactiveCassandraTemplate.class);
        ReactivePersons reactives = context.getBean(ReactivePersons.class);
        AsyncCassandraTemplate async = context.getBean(AsyncCassandraTemplate.class);
        Map<String, Consumer<Person>> guarded = new LinkedHashMap<>();
        guarded.put("repository save", persons::save);
        guarded.put("repository insert", persons::insert);
        guarded.put("repository saveAll", one -> persons.saveAll(List.of(one)));
        guarded.put("@Idempotent save", context.getBean(RetriedPersons.class)::save);
        guarded.put("@Idempotent insert", context.getBean(RetriedPersons.class)::insert);
        guarded.put("base class save", context.getBean(BasedPersons.class)::save);
        guarded.put("fragment", persons::saveByFragment);
        guarded.put("template insert", template::insert);
        guarded.put("template update", template::update);
        guarded.put("fluent insert", one -> template.insert(Person.class).one(one));
        guarded.put(
                "InsertOptions TTL",
                one -> template.insert(
                        one, InsertOptions.builder().ttl(1000).withInsertNulls().build()));
        guarded.put("entity subclass", one -> persons.save(new Employee(one.id, one.login, null, "B7")));
        guarded.put(
                "template callbacks",
                one -> persons.save(new Person(one.id, one.login.toUpperCase(Locale.ROOT), "callback")));
        guarded.put(
                "cql template, bound",
                one -> cql.execute("INSERT INTO person (id, login) VALUES (?, ?)", one.id, one.login));
        guarded.put(
                "cql template, simple",
                one -> cql.execute(SimpleStatement.newInstance(
                        "INSERT INTO person (id, login) VALUES (?, ?)", one.id, one.login)));
        guarded.put(
                "cql template, named",
                one -> cql.execute(SimpleStatement.newInstance(
                        "INSERT INTO person (id, login) VALUES (:i, :l)", Map.of("i", one.id, "l", one.login))));
        guarded.put(
                "cql update of all",
                one -> cql.execute("UPDATE person SET login = ?, note = ? WHERE id = ?", one.login, one.note, one.id));
        guarded.put("reactive repository", one -> reactives.save(one).block());
        guarded.put("reactive insert", one -> reactives.insert(one).block());
        guarded.put("reactive template", one -> reactive.insert(one).block());
        guarded.put(
                "reactive in a scope",
                one -> reactive.insert(one)
                        .contextWrite(ReactiveWriteScope.enter(WriteScope.at(System.currentTimeMillis() * 1000)))
                        .block());
        guarded.put("reactive update", one -> reactive.update(one).block());
        guarded.put("RowOverwrites", context.getBean(RowOverwrites.class)::overwrite);
        guarded.put(
                "ReactiveRowOverwrites",
                one -> context.getBean(ReactiveRowOverwrites.class)
                        .overwrite(one)
                        .block());
        guarded.put("async update", one -> await(async.update(one)));
        guarded.put("async template", one -> await(async.insert(one)));
        Map<String, Consumer<Person>> refused = new LinkedHashMap<>();
        refused.put("batch", one -> template.batchOps().insert(one).execute());
        refused.put(
                "reactive batch",
                one -> reactive.batchOps().insert(one).execute().block());
        refused.put(
                "batch as text",
                one -> cql.execute("BEGIN BATCH INSERT INTO person (id, login) VALUES (" + one.id + ", '" + one.login
                        + "'); APPLY BATCH"));
        refused.put(
                "batch of no unique column",
                one -> cql.execute("BEGIN BATCH UPDATE person SET note = 'x' WHERE id = " + one.id + " APPLY BATCH"));
        refused.put(
                "literals",
                one -> cql.execute("INSERT INTO person (id, login) VALUES (" + one.id + ", '" + one.login + "')"));
        refused.put(
                "JSON",
                one -> cql.execute(
                        "INSERT INTO person JSON '{\"id\": \"" + one.id + "\", \"login\": \"" + one.login + "\"}'"));
        refused.put(
                "ifNotExists",
                one -> template.insert(
                        one, InsertOptions.builder().withIfNotExists().build()));
        refused.put(
                "timestamp",
                one -> template.insert(one, InsertOptions.builder().timestamp(5).build()));
        refused.put(
                "update by query",
                one -> template.update(
                        Query.query(Criteria.where("id").is(one.id)),
                        Update.empty().set("login", one.login),
                        Person.class));
        refused.put(
                "cql update of a part",
                one -> cql.execute("UPDATE person SET login = ? WHERE id = ?", one.login, one.id));
        refused.put("subclass of another table", one -> persons.save(new Stranger(one.id, one.login)));
        refused.put("many of a subclass", one -> persons.saveAll(List.of(one, new Stranger(one.id, one.login))));
        refused.put(
                "reactive subclass",
                one -> reactives
                        .saveAll(Flux.just(new Stranger(one.id, one.login)))
                        .blockLast());
        refused.put("empty a column", one -> cql.execute("DELETE login FROM person WHERE id = ?", one.id));

        guarded.forEach(
                (name, way) -> assertThat(isGuarded(context, way)).as(name).isEqualTo("guarded"));
        refused.forEach((name, way) -> assertThat(isRefused(way)).as(name).isEqualTo("refused"));
        Map<String, BiConsumer<Person, Person>> deletions = new LinkedHashMap<>();
        deletions.put("delete", (one, two) -> {
            persons.delete(one);
            persons.delete(two);
        });
        deletions.put("deleteById", (one, two) -> {
            persons.deleteById(one.id);
            persons.deleteById(two.id);
        });
        deletions.put("deleteAllById", (one, two) -> persons.deleteAllById(List.of(one.id, two.id)));
        deletions.put("deleteAll(entities)", (one, two) -> persons.deleteAll(List.of(one, two)));
        deletions.put("deleteAll()", (one, two) -> persons.deleteAll());
        deletions.put(
                "template delete by query",
                (one, two) -> template.delete(Query.query(Criteria.where("id").in(one.id, two.id)), Person.class));
        deletions.put("template truncate", (one, two) -> template.truncate(Person.class));
        deletions.put(
                "reactive deleteAll()", (one, two) -> reactives.deleteAll().block());
        deletions.put(
                "reactive deleteAllById",
                (one, two) -> reactives.deleteAllById(List.of(one.id, two.id)).block());
        deletions.put(
                "fluent delete",
                (one, two) -> template.delete(Person.class)
                        .matching(Query.query(Criteria.where("id").in(one.id, two.id)))
                        .all());
        deletions.forEach((name, way) -> assertThat(frees(way)).as(name).isEqualTo("frees"));
    }

    @Test
    void keepsTheTimeToLiveTheColumnsOfASubclassAndWhatIsNotUnique() {
        Person dying = person("t" + UUID.randomUUID());
        template.insert(
                dying, InsertOptions.builder().ttl(1000).withInsertNulls().build());
        assertThat(shown(dying).getInt("ttl")).isBetween(900, 1000);
        Person employed = person("e" + UUID.randomUUID());
        persons.save(new Employee(employed.id, employed.login, null, "B7"));
        assertThat(shown(employed).getString("badge")).isEqualTo("B7");
        template.insert(new Person(employed.id, null, "other"));
        assertThat(shown(employed).getString("login")).as("left out").isEqualTo(employed.login);
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> persons.insert(person(employed.login)));
    }

    @Test
    void deletesRowsThatAreNamedByTheirKeysAndNoOthers() {
        Seats seats = context.getBean(Seats.class);
        seats.save(new Seat("h", 1, "ann"));
        seats.save(new Seat("h", 2, "bob"));
        for (String range :
                List.of("DELETE FROM seat WHERE hall = 'h'", "DELETE FROM seat WHERE hall = 'h' AND number > 0")) {
            assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
                    .isThrownBy(() -> cql.execute(range))
                    .withMessageContaining("Fix: ");
        }
        assertThat(seats.count()).isEqualTo(2);
        cql.execute("DELETE FROM seat WHERE hall = ? AND number IN (?, ?)", "h", 1, 3);
        cql.execute("DELETE FROM seat WHERE hall = ? AND number IN ?", "h", List.of(2, 4));
        assertThat(seats.count()).isZero();
        seats.insert(new Seat("h", 3, "ann"));
        seats.insert(new Seat("h", 4, "bob"));
    }

    /** It would empty what plain Spring Data leaves; of an entity, a null says so. */
    @Test
    void aTextThatInsertsAUniqueValueNamesAllOfThem() {
        Accounts accounts = context.getBean(Accounts.class);
        UUID id = UUID.randomUUID();
        accounts.save(new Account(id, "ann" + id, "ann@" + id));
        for (String text : List.of(
                "INSERT INTO account (id, login) VALUES (?, ?)",
                "insert into account (id,login) VALUES (?,?)",
                "INSERT INTO account (id,login)  VALUES (?,?)")) {
            assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
                    .as(text)
                    .isThrownBy(() -> cql.execute(text, id, "bob" + id))
                    .withMessageContainingAll("does not name the columns [mail]", "Fix: ");
        }
        assertThat(accounts.findById(id)).contains(new Account(id, "ann" + id, "ann@" + id));
        cql.execute("INSERT INTO account (id, login, mail) VALUES (?, ?, ?)", id, "bob" + id, "bob@" + id);
        assertThat(accounts.findById(id)).contains(new Account(id, "bob" + id, "bob@" + id));
        template.insert(new Account(id, "cec" + id, null));
        assertThat(accounts.findById(id)).contains(new Account(id, "cec" + id, null));
        accounts.insert(new Account(UUID.randomUUID(), "dan" + id, null));
        accounts.insert(new Account(UUID.randomUUID(), "eve" + id, "bob@" + id));
    }

    @Test
    void insertsANaturalKeyOnce() {
        String code = "c" + UUID.randomUUID();
        coupons.insert(new Coupon(code, 1));
        assertThatExceptionOfType(DuplicateValueException.class).isThrownBy(() -> coupons.insert(new Coupon(code, 2)));
        coupons.save(new Coupon(code, 3));
        context.getBean(CassandraTemplate.class).insert(new Coupon(code, 4));
        assertThat(coupons.findById(code)).contains(new Coupon(code, 4));
        coupons.deleteById(code);
        coupons.insert(new Coupon(code, 5));
    }

    /** What an insert says of its rows, nobody else's statement says. */
    @Test
    void aCallbackOfAnInsertMayWriteRowsThatAreThere() {
        Coupon used = coupons.insert(new Coupon("u" + UUID.randomUUID(), 1));
        persons.insert(new Person(UUID.randomUUID(), "uses" + UUID.randomUUID(), used.code()));
        assertThat(coupons.findById(used.code())).contains(new Coupon(used.code(), 2));
    }

    private static @Nullable Row shown(Person person) {
        return session.execute(SimpleStatement.newInstance(
                        "SELECT login, badge, ttl(login) AS ttl FROM person WHERE id = ?", person.id))
                .one();
    }

    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException failed) {
            throw (RuntimeException) failed.getCause();
        }
    }

    private static String isGuarded(ApplicationContext context, Consumer<Person> way) {
        Person first = person("g" + UUID.randomUUID());
        String login = first.login;
        Throwable failed = catchThrowable(() -> way.accept(first));
        if (failed != null) {
            return "fails: " + failed;
        }
        Person second = person(login);
        Throwable duplicate = catchThrowable(() -> way.accept(second));
        boolean there = context.getBean(UniqueFinder.class)
                .findKey("person-login", login)
                .filter(key -> key.containsValue(first.id))
                .isPresent();
        boolean none = shown(second) == null;
        return there && none && duplicate instanceof DuplicateValueException
                ? "guarded"
                : "claim " + there + ", second " + duplicate;
    }

    private static String isRefused(Consumer<Person> way) {
        Person one = person("r" + UUID.randomUUID());
        Throwable refused = catchThrowable(() -> way.accept(one));
        boolean none = shown(one) == null;
        return none
                        && refused instanceof InvalidDataAccessApiUsageException
                        && refused.getMessage().contains("Fix: ")
                        && !refused.getMessage().contains(one.login)
                ? "refused"
                : "there " + !none + ", " + refused;
    }

    private String frees(BiConsumer<Person, Person> way) {
        Person one = person("d" + UUID.randomUUID());
        Person two = person("d" + UUID.randomUUID());
        persons.saveAll(List.of(one, two));
        Throwable failed = catchThrowable(() -> way.accept(one, two));
        Throwable again = catchThrowable(() -> persons.insert(person(one.login)));
        boolean none = shown(two) == null
                && session.execute("SELECT * FROM surewrite_claim").all().stream()
                        .noneMatch(claim ->
                                String.valueOf(claim.getString("value")).contains(two.login));
        return failed == null && again == null && none
                ? "frees"
                : "failed " + failed + ", again " + again + ", gone " + none;
    }
}
