package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.retry.ClientSideIds;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;

class EntityArgumentsTests {

    private final EntityArguments arguments =
            new EntityArguments(new ClientSideIds(new CassandraMappingContext())::fill, true);

    @Test
    void readsOnceWhatCanBeReadOnlyOnce() {
        Iterator<String> elements = List.of("a", "b").iterator();
        Iterable<String> once = () -> elements;
        assertThat(arguments.prepare(Iterable.class, once)).isEqualTo(List.of("a", "b"));
    }

    @Test
    void leavesWhatIsOnlyIterableByTheWay() {
        Path path = Path.of("a", "b");
        assertThat(arguments.prepare(Path.class, path)).isSameAs(path);
        assertThat(arguments.prepare(Object.class, path)).isSameAs(path);
        List<String> list = List.of("a");
        assertThat(arguments.prepare(Iterable.class, list)).isSameAs(list);
    }
}
