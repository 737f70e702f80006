package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.overwrite.Overwriting;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** What somebody reads whose application does not start: all refusals at once, and what the driver does not explain. */
@ExtendWith(OutputCaptureExtension.class)
class StartReportIntegrationTests extends CassandraTest {

    private static final Path PAGE = Path.of("..", "docs", "start.md");

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE account (id uuid PRIMARY KEY, email text)");
        session.execute("CREATE TABLE cart (id uuid PRIMARY KEY, items list<text>)");
        session.execute("CREATE TABLE visit (page text PRIMARY KEY, n counter)");
    }

    /** The page shows the beginning, one of the middle and the end. */
    @Test
    void printsAllRefusalsOfSixRepositories(CapturedOutput output) throws IOException {
        start(SixBadRepositories.class);
        String printed = output.getOut()
                .replace("\r\n", "\n")
                .replace(keyspace.name(), "shop")
                .replaceAll("(?m)[ \t]+$", "");
        String page = Files.readString(PAGE);
        int begin = page.indexOf("```", page.indexOf("<!-- report -->"));
        String shown = page.substring(page.indexOf('\n', begin) + 1, page.indexOf("\n```", begin + 3));
        assertThat(shown.split("\n…\n"))
                .hasSize(3)
                .allSatisfy(part -> assertThat(printed).contains(part));
        assertThat(printed)
                .containsSubsequence(
                        "7 refusals:",
                        "@UniqueBy on Accounts: it names 'emial'",
                        "@WithLease on Nightly.deleteAll: ",
                        "Baskets saves by overwriting, which is refused: ",
                        "Carts.insert, Carts.save, Carts.saveAll cannot be @Idempotent:",
                        "Events.add cannot be @Idempotent:",
                        "Events.addOnce cannot be @Idempotent:",
                        "Visits.count cannot be @Idempotent:",
                        "Action:");
    }

    @Test
    @LongLane
    void namesTheDatacentersToChooseFrom(CapturedOutput output) {
        start(Application.class, "--spring.cassandra.local-datacenter=", "--spring.cassandra.session-name=no-dc");
        assertThat(output)
                .containsSubsequence(
                        "Description:",
                        "does not know its local data center. The cluster has: datacenter1.",
                        "Action:",
                        "spring.cassandra.local-datacenter=datacenter1");
        assertThat(threadsOf("no-dc")).isEmpty();
    }

    @Test
    @LongLane
    void namesTheWrongDatacenterAndEnds(CapturedOutput output) {
        start(
                Application.class,
                "--spring.cassandra.local-datacenter=paris",
                "--spring.cassandra.session-name=wrong-dc");
        assertThat(output)
                .containsSubsequence(
                        "Description:",
                        "data center of the Cassandra session is 'paris'",
                        "there is datacenter1",
                        "Action:",
                        "Correct spring.cassandra.local-datacenter");
        assertThat(threadsOf("wrong-dc")).isEmpty();
    }

    @Test
    @LongLane
    void saysThatTheClusterWasTooSlow(CapturedOutput output) throws IOException {
        String ours = "SELECT default_time_to_live FROM system_schema.tables";
        try (FrameProxy network = new FrameProxy(
                keyspace.server().contactPoint().getPort(),
                Duration.ZERO,
                frame -> new FrameProxy.Verdict(
                        !new String(frame, StandardCharsets.ISO_8859_1).contains(ours)
                                ? FrameProxy.Fate.DELIVERED
                                : FrameProxy.Fate.NEVER_SENT,
                        new CompletableFuture<>()))) {
            start(
                    Application.class,
                    "--spring.cassandra.contact-points=127.0.0.1:" + network.port(),
                    "--spring.cassandra.request.timeout=300ms",
                    "--surewrite.journal.enabled=true");
        }
        assertThat(output)
                .containsSubsequence(
                        "Description:",
                        "Cassandra did not answer in time while the application started: Query timed out after PT0.3S.",
                        "Action:",
                        "spring.cassandra.request.timeout");
    }

    @Test
    @LongLane
    void saysWhatWasRefusedWhereSomethingElseEndsTheStart(CapturedOutput output) {
        start(OneRepositoryAndAnError.class);
        assertThat(output).containsSubsequence("This is refused, too:", "Events.add cannot be @Idempotent");
    }

    @Test
    void printsTheMissingTableAndItsDdl(CapturedOutput output) {
        session.execute("DROP TABLE IF EXISTS surewrite_lease");
        start(Application.class, "--surewrite.schema.initialize=never", UsesLeases.AS_SOURCE);
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .containsSubsequence(
                        "Description:",
                        "The table %s.surewrite_lease is missing.".formatted(keyspace.name()),
                        "Action:",
                        "Run this CQL before the application starts",
                        "CREATE TABLE IF NOT EXISTS %s.surewrite_lease (".formatted(keyspace.name()));
    }

    @Test
    @LongLane
    void printsTheMissingKeyspaceAndHowToCreateIt(CapturedOutput output) {
        start(Application.class, "--spring.cassandra.keyspace-name=nowhere");
        assertThat(output)
                .containsSubsequence(
                        "Description:",
                        "The keyspace nowhere, which the Cassandra session starts in, does not exist.",
                        "Action:",
                        "Neither Spring Boot nor Surewrite creates it. Correct spring.cassandra.keyspace-name, or create",
                        "CREATE KEYSPACE nowhere WITH replication = {'class': 'NetworkTopologyStrategy',");
    }

    @Test
    void printsThatNoCassandraAnswersAndWhereToGetOne(CapturedOutput output) throws IOException {
        int unused;
        try (ServerSocket socket = new ServerSocket(0)) {
            unused = socket.getLocalPort();
        }
        start(Application.class, "--spring.cassandra.contact-points=127.0.0.1:" + unused);
        assertThat(output)
                .containsSubsequence(
                        "Description:",
                        "No Cassandra answers at /127.0.0.1:" + unused,
                        "Action:",
                        "spring.cassandra.contact-points",
                        "io.surewrite:surewrite-embedded-cassandra");
    }

    private static List<String> threadsOf(String session) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(session))
                .toList();
    }

    private static void start(Class<?> application, String... arguments) {
        SpringApplicationBuilder builder = new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(connection())
                .properties("surewrite.schema.initialize=always");
        assertThatThrownBy(() -> builder.run(arguments)).isInstanceOf(RuntimeException.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class UsesLeases {

        static final String AS_SOURCE = "--spring.main.sources=" + UsesLeases.class.getName();

        @Bean
        String usesLeases(LeaseLocks locks) {
            return locks.toString();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.REGEX, pattern = ".*\\.StartReportIntegrationTests\\$.*"))
    static class SixBadRepositories {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Events.class))
    static class OneRepositoryAndAnError {

        /** After the repository: the order of beans that need no other is left to chance. */
        @Bean
        Object error(Events events) {
            throw new IllegalStateException("Something else");
        }
    }

    @Table("account")
    record Account(@Id UUID id, String email) {}

    @Table("cart")
    record Cart(@Id UUID id, List<String> items) {}

    @UniqueBy("emial")
    interface Accounts extends CassandraRepository<Account, UUID> {}

    @Overwriting
    interface Baskets extends CassandraRepository<Cart, UUID> {}

    @Idempotent
    interface Carts extends CassandraRepository<Cart, UUID> {}

    interface Events extends CassandraRepository<Account, UUID> {
        @Idempotent
        @Query("INSERT INTO account (id, email) VALUES (uuid(), ?0)")
        void add(String email);

        @Idempotent
        @Query("INSERT INTO account (id, email) VALUES (?0, ?1) IF NOT EXISTS")
        void addOnce(UUID id, String email);
    }

    interface Nightly extends CassandraRepository<Account, UUID> {
        @WithLease(key = "'nightly'", ttl = "300ms")
        @Override
        void deleteAll();
    }

    interface Visits extends CassandraRepository<Account, UUID> {
        @Idempotent(deadline = "11d")
        @Query("UPDATE visit SET n = n + 1 WHERE page = ?0")
        void count(String page);
    }
}
