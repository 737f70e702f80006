package io.surewrite.verification.unique;

import io.surewrite.unique.UniqueBy;
import java.util.UUID;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** An application that builds the claims of its table when it has started, and ends. */
final class BuildProcess {

    /** A row that was there before the constraint. */
    @Table("subscriber")
    record Subscriber(@PrimaryKey UUID id, String email, String note) {}

    @UniqueBy("email")
    interface Subscribers extends CassandraRepository<Subscriber, UUID> {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Subscribers.class))
    static class Application {}

    private BuildProcess() {}

    /**
     * Runs it.
     *
     * @param args properties of the application
     */
    public static void main(String[] args) {
        ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(
                        "surewrite.unique.repair=subscriber.email",
                        "logging.level.root=warn",
                        "logging.level.io.surewrite.unique=info")
                .run(args);
        application.close();
    }
}
