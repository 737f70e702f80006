package io.surewrite.adoption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueFinder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lombok.AllArgsConstructor;
import lombok.Builder;
import lombok.Data;
import lombok.NoArgsConstructor;
import lombok.With;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.convert.converter.Converter;
import org.springframework.data.annotation.CreatedBy;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.LastModifiedBy;
import org.springframework.data.annotation.LastModifiedDate;
import org.springframework.data.annotation.Transient;
import org.springframework.data.cassandra.config.EnableCassandraAuditing;
import org.springframework.data.cassandra.config.EnableReactiveCassandraAuditing;
import org.springframework.data.cassandra.core.convert.CassandraCustomConversions;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.Element;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyClass;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.Tuple;
import org.springframework.data.cassandra.core.mapping.UserDefinedType;
import org.springframework.data.cassandra.core.mapping.event.AfterSaveEvent;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveCallback;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.cassandra.core.query.CassandraPageRequest;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.convert.WritingConverter;
import org.springframework.data.domain.AuditorAware;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Persistable;
import org.springframework.data.domain.ReactiveAuditorAware;
import org.springframework.data.domain.Slice;
import org.springframework.data.repository.NoRepositoryBean;
import org.springframework.data.spel.spi.EvaluationContextExtension;
import org.springframework.data.spel.spi.ReactiveEvaluationContextExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/**
 * What applications do that know nothing of Surewrite: as JHipster's template and Spring Data's examples do, blocking and
 * reactive, on repositories with its annotations.
 */
@LongLane
class AdoptedApplicationsIntegrationTests extends CassandraTest {

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        session.execute("CREATE TYPE adopted_address (street text, town text)");
        session.execute("CREATE TABLE adopted_person (first_name text, id uuid, last_name text, email text,"
                + " contact text, home frozen<adopted_address>, previous frozen<list<frozen<adopted_address>>>,"
                + " place frozen<tuple<double, double>>, PRIMARY KEY (first_name, id))");
        session.execute("CREATE TABLE adopted_order (id text PRIMARY KEY, number text, created_by text,"
                + " created_at timestamp, modified_by text, modified_at timestamp)");
        session.execute("CREATE TABLE adopted_track (id uuid PRIMARY KEY, album text, title text)");
        session.execute("CREATE INDEX ON adopted_track (album)");
        session.execute("CREATE TABLE adopted_note (tenant text, id uuid, text text, PRIMARY KEY (tenant, id))");
        application = new SpringApplicationBuilder(SureApplication.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(connection())
                .properties("surewrite.schema.initialize=always")
                .run();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private final String unique = UUID.randomUUID().toString();

    // ---- keys of several columns, value objects, types, tuples, projections ----

    @PrimaryKeyClass
    record PersonKey(
            @PrimaryKeyColumn(name = "first_name", type = PrimaryKeyType.PARTITIONED)
            String firstName,

            @PrimaryKeyColumn(ordinal = 1) UUID id) {}

    record Email(String address) {}

    record Contact(String phone, String room) {}

    @UserDefinedType("adopted_address")
    record Address(String street, String town) {}

    @Tuple
    record Place(@Element(0) double latitude, @Element(1) double longitude) {}

    @Table("adopted_person")
    record Person(
            @PrimaryKey PersonKey key,
            String last_name,
            Email email,
            Contact contact,
            Address home,
            List<Address> previous,
            Place place) {

        Person at(Email other) {
            return new Person(key, last_name, other, contact, home, previous, place);
        }
    }

    @NoRepositoryBean
    interface Persons extends CassandraRepository<Person, PersonKey> {}

    /** An application's own interface for all its repositories of this kind. */
    @Idempotent
    @UniqueBy(value = "email", name = "person-email")
    @NoRepositoryBean
    interface SureBase {}

    interface SurePersons extends Persons, SureBase {}

    private Person person(String firstName) {
        return new Person(
                new PersonKey(firstName, UUID.randomUUID()),
                "Moe",
                new Email(firstName + "@" + unique),
                new Contact("0043 1", "12 b"),
                new Address("Ring", "Wien"),
                List.of(new Address("Gasse", "Graz"), new Address("Weg", "Linz")),
                new Place(48.2, 16.37));
    }

    @Test
    void writesAndReadsWhatEntitiesAreMadeOf() {
        Persons persons = application.getBean(Persons.class);
        Person zoe = person("zoe");
        persons.insert(zoe);
        assertThat(persons.findById(zoe.key())).contains(zoe);

        Person moved = zoe.at(new Email("moved@" + unique));
        assertThat(persons.save(moved)).isEqualTo(moved);
        assertThat(persons.findById(zoe.key())).contains(moved);
        persons.deleteById(zoe.key());
        assertThat(persons.existsById(zoe.key())).isFalse();
        persons.saveAll(List.of(zoe, person("tom")));
        assertThat(persons.findById(zoe.key())).contains(zoe);
    }

    @Test
    void claimsTheValueAsItIsStored() {
        Persons persons = application.getBean(Persons.class);
        Person kim = persons.insert(person("kim"));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> persons.insert(person("lee").at(kim.email())));
        UniqueFinder finder = application.getBean(UniqueFinder.class);
        assertThat(finder.find("person-email", Person.class, kim.email())).contains(kim);
        assertThat(finder.findKey("person-email", "kim@" + unique))
                .contains(Map.of("first_name", "kim", "id", kim.key().id()));
    }

    // ---- auditing, Persistable, events and callbacks ----

    /** Immutable, by Lombok. */
    @lombok.Value
    @Builder
    @With
    @Table("adopted_order")
    static class Order implements Persistable<String> {

        @Id
        String id;

        String number;

        @CreatedBy
        String created_by;

        @CreatedDate
        Instant created_at;

        @LastModifiedBy
        String modified_by;

        @LastModifiedDate
        Instant modified_at;

        @Override
        @Transient
        public boolean isNew() {
            return created_at == null;
        }
    }

    @NoRepositoryBean
    interface Orders extends CassandraRepository<Order, String> {}

    @Idempotent
    @UniqueBy(value = "number", name = "order-number")
    interface SureOrders extends Orders {}

    @NoRepositoryBean
    interface ReactiveOrders extends ReactiveCassandraRepository<Order, String> {}

    @Idempotent
    @UniqueBy(value = "number", name = "order-number")
    interface SureReactiveOrders extends ReactiveOrders {}

    private Order order() {
        return Order.builder()
                .id(UUID.randomUUID().toString())
                .number(" " + unique)
                .build();
    }

    @Test
    void auditsAndCallsBackOnceForEachCall() {
        Orders orders = application.getBean(Orders.class);
        Calls calls = application.getBean(Calls.class);
        calls.clear();
        Order saved = orders.save(order());
        assertThat(calls).hasToString("convert 1, save 1, saved 1");
        assertThat(saved.number).as("as a callback has made it").isEqualTo(unique);
        assertThat(saved.created_by).isEqualTo("by thread");
        assertThat(saved.created_at).isNotNull().isEqualTo(saved.modified_at);

        Order read = orders.findById(saved.id).orElseThrow();
        calls.clear();
        Order changed = orders.save(read.withNumber("changed " + unique));
        assertThat(calls).hasToString("convert 1, save 1, saved 1");
        assertThat(changed.created_at).isEqualTo(read.created_at);
        assertThat(changed.modified_at).isAfterOrEqualTo(read.modified_at);
        assertThat(orders.findById(saved.id)).map(found -> found.number).contains("changed " + unique);
        orders.delete(changed);
    }

    @Test
    void auditsFromTheReactorContext() {
        ReactiveOrders orders = application.getBean(ReactiveOrders.class);
        Calls calls = application.getBean(Calls.class);
        calls.clear();
        Order saved = orders.save(order())
                .contextWrite(context -> context.put("user", "ann"))
                .block();
        assertThat(saved.created_by).isEqualTo("ann");
        assertThat(calls).hasToString("convert 1, save 0, saved 1");
        StepVerifier.create(orders.findById(saved.id)
                        .map(read -> read.withNumber("changed " + unique))
                        .flatMap(orders::save)
                        .contextWrite(context -> context.put("user", "bob")))
                .assertNext(changed -> {
                    assertThat(changed.created_by).isEqualTo("ann");
                    assertThat(changed.modified_by).isEqualTo("bob");
                })
                .verifyComplete();
        StepVerifier.create(orders.deleteById(saved.id)).verifyComplete();
    }

    @Test
    void claimsWhatACallbackHasMade() {
        Orders orders = application.getBean(Orders.class);
        Order first = orders.save(order());
        assertThatExceptionOfType(DuplicateValueException.class).isThrownBy(() -> orders.save(order()));
        StepVerifier.create(application.getBean(ReactiveOrders.class).save(order()))
                .verifyError(DuplicateValueException.class);
        orders.delete(first);
    }

    // ---- expressions over the Reactor context ----

    @Table("adopted_note")
    record Note(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String tenant,

            @PrimaryKeyColumn(ordinal = 1) UUID id,
            String text) {}

    @NoRepositoryBean
    interface Notes extends ReactiveCassandraRepository<Note, MapId> {

        @Query("SELECT * FROM adopted_note WHERE tenant = :#{tenant}")
        Flux<Note> findOfTenant();

        @Query("UPDATE adopted_note SET text = ?0 WHERE tenant = ?1 AND id = ?2")
        Mono<Boolean> rewrite(String text, String tenant, UUID id);
    }

    @Idempotent
    interface SureNotes extends Notes {}

    @Test
    void evaluatesExpressionsInTheContextOfTheSubscriber() {
        Notes notes = application.getBean(Notes.class);
        String tenant = unique;
        Note note = new Note(tenant, UUID.randomUUID(), "a");
        StepVerifier.create(notes.save(note)
                        .then(notes.rewrite("b", tenant, note.id()))
                        .thenMany(notes.findOfTenant())
                        .contextWrite(context -> context.put("tenant", tenant)))
                .expectNext(new Note(tenant, note.id(), "b"))
                .verifyComplete();
        StepVerifier.create(notes.findOfTenant().contextWrite(context -> context.put("tenant", "other " + unique)))
                .verifyComplete();
    }

    // ---- slices, streams and indexes ----

    /** Mutable, by Lombok. */
    @Data
    @NoArgsConstructor
    @AllArgsConstructor
    @Table("adopted_track")
    static class Track {

        @PrimaryKey
        private UUID id;

        private String album;
        private String title;
    }

    @NoRepositoryBean
    interface Tracks extends CassandraRepository<Track, UUID> {

        Slice<Track> findByAlbum(String album, Pageable page);

        Stream<Track> streamByAlbum(String album);

        @Query("SELECT * FROM adopted_track WHERE album = ?0")
        Stream<Track> streamOf(String album);

        Optional<Track> findFirstByAlbum(String album);
    }

    @Idempotent
    @UniqueBy(value = "title", name = "track-title")
    interface SureTracks extends Tracks {}

    @NoRepositoryBean
    interface ReactiveTracks extends ReactiveCassandraRepository<Track, UUID> {

        Flux<Track> findByAlbum(String album);

        Mono<Slice<Track>> findByAlbum(String album, Pageable page);
    }

    @Idempotent
    @UniqueBy(value = "title", name = "track-title")
    interface SureReactiveTracks extends ReactiveTracks {}

    private List<Track> tracks() {
        return IntStream.range(0, 5)
                .mapToObj(i -> new Track(UUID.randomUUID(), unique, "%d of %s".formatted(i, unique)))
                .toList();
    }

    @Test
    void readsInSlicesAndStreams() {
        Tracks tracks = application.getBean(Tracks.class);
        List<Track> all = tracks.saveAll(tracks());
        List<Track> sliced = new ArrayList<>();
        Slice<Track> slice = tracks.findByAlbum(unique, CassandraPageRequest.first(2));
        sliced.addAll(slice.getContent());
        while (slice.hasNext()) {
            slice = tracks.findByAlbum(unique, slice.nextPageable());
            sliced.addAll(slice.getContent());
        }
        assertThat(sliced).containsExactlyInAnyOrderElementsOf(all);
        try (Stream<Track> stream = tracks.streamByAlbum(unique)) {
            assertThat(stream).containsExactlyInAnyOrderElementsOf(all);
        }
        try (Stream<Track> stream = tracks.streamOf(unique)) {
            assertThat(stream).hasSize(5);
        }
        assertThat(tracks.findFirstByAlbum(unique)).isPresent();
        tracks.deleteAll(all);
        assertThat(tracks.findFirstByAlbum(unique)).isEmpty();
    }

    @Test
    void readsAndWritesStreamsReactively() {
        ReactiveTracks tracks = application.getBean(ReactiveTracks.class);
        List<Track> all = tracks();
        StepVerifier.create(tracks.saveAll(Flux.fromIterable(all)).collectList())
                .assertNext(saved -> assertThat(saved).containsExactlyInAnyOrderElementsOf(all))
                .verifyComplete();
        StepVerifier.create(tracks.findByAlbum(unique).collectList())
                .assertNext(found -> assertThat(found).containsExactlyInAnyOrderElementsOf(all))
                .verifyComplete();
        StepVerifier.create(tracks.findByAlbum(unique, CassandraPageRequest.first(2))
                        .expand(slice ->
                                slice.hasNext() ? tracks.findByAlbum(unique, slice.nextPageable()) : Mono.empty())
                        .flatMapIterable(Slice::getContent)
                        .collectList())
                .assertNext(found -> assertThat(found).containsExactlyInAnyOrderElementsOf(all))
                .verifyComplete();
        StepVerifier.create(tracks.deleteAll(Flux.fromIterable(all)).thenMany(tracks.findByAlbum(unique)))
                .verifyComplete();
    }

    // ---- the applications ----

    /** How often what is called. */
    static final class Calls {

        private final AtomicInteger converted = new AtomicInteger();
        private final AtomicInteger saved = new AtomicInteger();
        private final AtomicInteger heard = new AtomicInteger();

        void clear() {
            List.of(converted, saved, heard).forEach(count -> count.set(0));
        }

        @EventListener
        void heard(AfterSaveEvent<Order> event) {
            heard.incrementAndGet();
        }

        @Override
        public String toString() {
            return "convert %s, save %s, saved %s".formatted(converted, saved, heard);
        }
    }

    static final class Tenant implements EvaluationContextExtension {

        private final String tenant;

        Tenant(String tenant) {
            this.tenant = tenant;
        }

        @Override
        public String getExtensionId() {
            return "subscriber";
        }

        @Override
        public Map<String, Object> getProperties() {
            return Map.of("tenant", tenant);
        }
    }

    @WritingConverter
    enum WriteEmail implements Converter<Email, String> {
        INSTANCE;

        @Override
        public String convert(Email email) {
            return email.address();
        }
    }

    @ReadingConverter
    enum ReadEmail implements Converter<String, Email> {
        INSTANCE;

        @Override
        public Email convert(String address) {
            return new Email(address);
        }
    }

    @WritingConverter
    enum WriteContact implements Converter<Contact, String> {
        INSTANCE;

        @Override
        public String convert(Contact contact) {
            return contact.phone() + "|" + contact.room();
        }
    }

    @ReadingConverter
    enum ReadContact implements Converter<String, Contact> {
        INSTANCE;

        @Override
        public Contact convert(String text) {
            return new Contact(text.substring(0, text.indexOf('|')), text.substring(text.indexOf('|') + 1));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraAuditing(auditorAwareRef = "auditor")
    @EnableReactiveCassandraAuditing(auditorAwareRef = "reactiveAuditor")
    @Import(Calls.class)
    static class Common {

        @Bean
        AuditorAware<String> auditor() {
            return () -> Optional.of("by thread");
        }

        @Bean
        ReactiveAuditorAware<String> reactiveAuditor() {
            return () -> Mono.deferContextual(context -> Mono.justOrEmpty(context.getOrEmpty("user")));
        }

        @Bean
        BeforeConvertCallback<Order> strip(Calls calls) {
            return (order, table) -> {
                calls.converted.incrementAndGet();
                return order.withNumber(order.number.strip());
            };
        }

        @Bean
        BeforeSaveCallback<Order> count(Calls calls) {
            return (order, table, statement) -> {
                calls.saved.incrementAndGet();
                return order;
            };
        }

        @Bean
        ReactiveBeforeConvertCallback<Order> reactiveStrip(Calls calls) {
            return (order, table) -> Mono.fromSupplier(() -> {
                calls.converted.incrementAndGet();
                return order.withNumber(order.number.strip());
            });
        }

        @Bean
        ReactiveEvaluationContextExtension tenants() {
            return new ReactiveEvaluationContextExtension() {

                @Override
                public String getExtensionId() {
                    return "subscriber";
                }

                @Override
                public Mono<Tenant> getExtension() {
                    return Mono.deferContextual(context -> Mono.just(new Tenant(context.getOrDefault("tenant", ""))));
                }
            };
        }

        @Bean
        CassandraCustomConversions conversions() {
            return new CassandraCustomConversions(
                    List.of(WriteEmail.INSTANCE, ReadEmail.INSTANCE, WriteContact.INSTANCE, ReadContact.INSTANCE));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(type = FilterType.REGEX, pattern = "io\\.surewrite\\.adoption\\.Adopted.*\\$Sure.*"))
    @EnableReactiveCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(type = FilterType.REGEX, pattern = "io\\.surewrite\\.adoption\\.Adopted.*\\$Sure.*"))
    @Import(Common.class)
    static class SureApplication {}
}
