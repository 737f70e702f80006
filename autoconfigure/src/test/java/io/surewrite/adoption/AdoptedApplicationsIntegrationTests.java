package io.surewrite.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import lombok.Builder;
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
import org.springframework.data.annotation.CreatedBy;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.LastModifiedBy;
import org.springframework.data.annotation.LastModifiedDate;
import org.springframework.data.annotation.Transient;
import org.springframework.data.cassandra.config.EnableCassandraAuditing;
import org.springframework.data.cassandra.config.EnableReactiveCassandraAuditing;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.AfterSaveEvent;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveCallback;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;
import org.springframework.data.domain.AuditorAware;
import org.springframework.data.domain.Persistable;
import org.springframework.data.domain.ReactiveAuditorAware;
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
        session.execute("CREATE TABLE adopted_order (id text PRIMARY KEY, number text, created_by text,"
                + " created_at timestamp, modified_by text, modified_at timestamp)");
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

    @Idempotent
    @UniqueBy(value = "number", name = "order-number")
    interface Orders extends CassandraRepository<Order, String> {}

    @Idempotent
    @UniqueBy(value = "number", name = "order-number")
    interface ReactiveOrders extends ReactiveCassandraRepository<Order, String> {}

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
        assertThat(calls).containsExactly("convert", "save", "saved");
        assertThat(saved.number).as("as a callback has made it").isEqualTo(unique);
        assertThat(saved.created_by).isEqualTo("by thread");
        assertThat(saved.created_at).isNotNull().isEqualTo(saved.modified_at);

        Order read = orders.findById(saved.id).orElseThrow();
        calls.clear();
        Order changed = orders.save(read.withNumber("changed " + unique));
        assertThat(calls).containsExactly("convert", "save", "saved");
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
        assertThat(calls).containsExactly("convert", "saved");
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

    // ---- the applications ----

    /** What is called, in turn. */
    static final class Calls extends CopyOnWriteArrayList<String> {

        private static final long serialVersionUID = 1L;

        @EventListener
        void heard(AfterSaveEvent<Order> event) {
            add("saved");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraAuditing(auditorAwareRef = "auditor")
    @EnableReactiveCassandraAuditing(auditorAwareRef = "reactiveAuditor")
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Orders.class))
    @EnableReactiveCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = ReactiveOrders.class))
    @Import(Calls.class)
    static class SureApplication {

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
                calls.add("convert");
                return order.withNumber(order.number.strip());
            };
        }

        @Bean
        BeforeSaveCallback<Order> count(Calls calls) {
            return (order, table, statement) -> {
                calls.add("save");
                return order;
            };
        }

        @Bean
        ReactiveBeforeConvertCallback<Order> reactiveStrip(Calls calls) {
            return (order, table) -> Mono.fromSupplier(() -> {
                calls.add("convert");
                return order.withNumber(order.number.strip());
            });
        }
    }
}
