package io.surewrite.retry;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.Ordered;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.CassandraType;
import reactor.core.publisher.Mono;

class ClientSideIdsTests {

    private final CassandraMappingContext mapping = new CassandraMappingContext();
    private final ClientSideIds ids = new ClientSideIds(mapping);

    @BeforeEach
    void map() {
        mapping.setInitialEntitySet(Set.of(Immutable.class, Mutable.class, Named.class));
        mapping.afterPropertiesSet();
    }

    /** An application's own callbacks may set the id. */
    @Test
    void comesAfterAllOtherCallbacks() {
        assertThat(ids.getOrder()).isEqualTo(Ordered.LOWEST_PRECEDENCE);
        assertThat(new ClientSideIds.Reactive(ids).getOrder()).isEqualTo(Ordered.LOWEST_PRECEDENCE);
    }

    @Test
    void givesAnImmutableEntityARandomIdInACopy() {
        Immutable without = new Immutable(null, "Ann");
        Immutable with = ids.fill(without);
        assertThat(with.id().version()).isEqualTo(4);
        assertThat(with.name()).isEqualTo("Ann");
        assertThat(without.id()).isNull();
    }

    @Test
    void givesAMutableEntityATimeBasedIdInPlace() {
        Mutable entity = new Mutable();
        assertThat(ids.fill(entity)).isSameAs(entity);
        assertThat(entity.id.version()).isEqualTo(1);
    }

    @Test
    void keepsAnIdThatIsThere() {
        Immutable entity = new Immutable(UUID.randomUUID(), "Ann");
        assertThat(ids.fill(entity)).isSameAs(entity);
    }

    @Test
    void leavesEverythingElseAlone() {
        Named named = new Named(null);
        assertThat(ids.fill(named)).isSameAs(named);
        assertThat(ids.fill("text")).isEqualTo("text");
    }

    @Test
    void worksAsACallbackOfBothKinds() {
        CqlIdentifier table = CqlIdentifier.fromCql("t");
        Immutable entity = new Immutable(null, "Ann");
        assertThat(((Immutable) ids.onBeforeConvert(entity, table)).id()).isNotNull();
        Object filled = Mono.from(new ClientSideIds.Reactive(ids).onBeforeConvert(entity, table))
                .block();
        assertThat(((Immutable) filled).id()).isNotNull();
    }

    record Immutable(@Id UUID id, String name) {}

    record Named(@Id String name) {}

    static class Mutable {
        @Id
        @CassandraType(type = CassandraType.Name.TIMEUUID)
        private UUID id;
    }
}
