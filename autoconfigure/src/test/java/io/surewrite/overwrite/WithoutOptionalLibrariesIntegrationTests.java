package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.test.CassandraTest;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import reactor.core.publisher.Flux;

class WithoutOptionalLibrariesIntegrationTests extends CassandraTest {

    @Table("lone")
    record Lone(@PrimaryKey int id, String name) {}

    @Test
    void overwritesWithoutReactorAndMicrometer() {
        session.execute("CREATE TABLE lone (id int PRIMARY KEY, name text)");

        application()
                .withClassLoader(new FilteredClassLoader(Flux.class, MeterRegistry.class))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context).doesNotHaveBean(ReactiveRowOverwrites.class);
                    assertThat(context.getBean(RowOverwrites.class).overwrite(new Lone(1, null)))
                            .isEqualTo(new Lone(1, null));
                });
    }
}
