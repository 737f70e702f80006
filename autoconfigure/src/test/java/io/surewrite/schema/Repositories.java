package io.surewrite.schema;

import java.util.UUID;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** An application with a table and a repository of its own. */
@Configuration(proxyBeanMethods = false)
@EnableCassandraRepositories(considerNestedRepositories = true, basePackageClasses = Repositories.class)
@EntityScan(basePackageClasses = Repositories.class)
class Repositories {

    @Table("users")
    record User(@Id UUID id, String email) {}

    interface Users extends CassandraRepository<User, UUID> {}
}
