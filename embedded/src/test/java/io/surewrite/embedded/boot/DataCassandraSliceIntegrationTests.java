package io.surewrite.embedded.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.cassandra.test.autoconfigure.DataCassandraTest;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** What a user writes: an application, a repository, a test, and nothing about a server. */
@DataCassandraTest(
        properties = {"spring.cassandra.schema-action=create-if-not-exists", "spring.application.name=slice"})
class DataCassandraSliceIntegrationTests {

    @Autowired
    private Items items;

    @Autowired
    private EmbeddedCassandraConnectionDetails details;

    @Test
    void savesIntoAKeyspaceOfItsOwn() {
        items.save(new Item("1", "lamp"));
        assertThat(items.findById("1")).contains(new Item("1", "lamp"));
        assertThat(details.getKeyspace()).matches("slice_[0-9a-f]{8}");
    }

    @SpringBootApplication
    @EnableCassandraRepositories(considerNestedRepositories = true)
    static class Application {}

    @Table("item")
    record Item(@PrimaryKey String id, String name) {}

    interface Items extends CassandraRepository<Item, String> {}
}
