package io.surewrite.retry;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.write.WriteId;
import io.surewrite.write.WriteScope;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyClass;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;

class ClientSideIdsTests {

    private static final CqlIdentifier TABLE = CqlIdentifier.fromCql("t");

    private final CassandraMappingContext mapping = new CassandraMappingContext();
    private final ClientSideIds ids = new ClientSideIds(mapping);

    @BeforeEach
    void map() {
        mapping.setInitialEntitySet(Set.of(Counted.class, Keyed.class));
        mapping.afterPropertiesSet();
    }

    @Test
    void anIdThatAPlainCallWritesIsNobodysOwn() {
        Counted made = (Counted) ids.onBeforeConvert(new Counted(null, null, null), TABLE);
        assertThat(ids.isMadeFor(made.id(), retried().statements())).isFalse();
        Counted later = ids.fill(new Counted(null, null, null));
        ids.onBeforeConvert(later, TABLE);
        assertThat(ids.isMadeFor(later.id(), retried().statements())).isFalse();
    }

    @Test
    void eachWriteOfARowHasAWriteIdThatItsAttemptsShare() {
        WriteScope scope = retried();
        UUID row = UUID.randomUUID();
        List<UUID> first = writeIds(scope, new Counted(row, null, null), new Counted(row, null, null));
        assertThat(first).doesNotHaveDuplicates();
        assertThat(writeIds(scope, new Counted(row, null, null), new Counted(row, null, null)))
                .isEqualTo(first);
        assertThat(writeIds(retried(), new Counted(row, null, null))).doesNotContainAnyElementsOf(first);
        assertThat(writeIds(scope, new Counted(UUID.randomUUID(), null, null))).doesNotContainAnyElementsOf(first);
    }

    /** Two objects stand for one row if their columns are equal, whatever their class says. */
    @Test
    void comparesKeysColumnByColumn() {
        WriteScope scope = retried();
        List<UUID> first = writeIds(scope, new Keyed(new Key("a", 1), null), new Keyed(new Key("a", 2), null));
        assertThat(first).doesNotHaveDuplicates();
        assertThat(writeIds(scope, new Keyed(new Key("a", 1), null), new Keyed(new Key("a", 2), null)))
                .isEqualTo(first);
    }

    /** The ids of the writes of an attempt. */
    private List<UUID> writeIds(WriteScope scope, Object... entities) {
        scope.attemptStarted();
        return scope.call(() -> Stream.of(entities)
                .map(entity -> ids.onBeforeConvert(ids.fill(entity), TABLE))
                .map(entity -> entity instanceof Counted counted ? counted.writeId() : ((Keyed) entity).writeId())
                .toList());
    }

    private static WriteScope retried() {
        return new WriteScope(1, true, true, null, null);
    }

    record Counted(
            @Id UUID id, @WriteId UUID writeId, @Version Long version) {}

    /** Without {@code equals}. */
    @PrimaryKeyClass
    static final class Key {

        @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
        final String name;

        @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED)
        final int number;

        Key(String name, int number) {
            this.name = name;
            this.number = number;
        }
    }

    record Keyed(@PrimaryKey Key key, @WriteId UUID writeId) {}
}
