package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.UniqueBy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** Sixteen people register one login and one e-mail at once, over HTTP. Each has an id of its own. */
@Timeout(120)
class RegistrationRaceIntegrationTests extends CassandraTest {

    private static final int PEOPLE = 16;
    private static final int ROUNDS = 4;

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE registered (id uuid PRIMARY KEY, login text, email text)");
    }

    @Test
    void hasOneWinnerAndTellsAllOthersThatTheyLost(@TempDir Path directory) {
        application().withUserConfiguration(App.class).run(context -> {
            try (Server server = Server.start(context, directory)) {
                ExecutorService threads = Executors.newFixedThreadPool(PEOPLE);
                try {
                    for (int round = 0; round < ROUNDS; round++) {
                        race(server, threads, "ann" + round);
                    }
                } finally {
                    threads.shutdownNow();
                }
            }
        });
    }

    private void race(Server server, ExecutorService threads, String login) {
        List<CompletableFuture<List<Integer>>> people = new ArrayList<>();
        for (int i = 0; i < PEOPLE; i++) {
            people.add(CompletableFuture.supplyAsync(() -> register(server, login), threads));
        }
        Map<Integer, Integer> answers = new TreeMap<>();
        for (CompletableFuture<List<Integer>> person : people) {
            person.join().forEach(status -> answers.merge(status, 1, Integer::sum));
        }
        System.out.println("A race of " + PEOPLE + " for " + login + ": " + answers);
        assertThat(answers)
                .containsEntry(201, 1)
                .containsEntry(409, PEOPLE - 1)
                .containsOnlyKeys(answers.containsKey(503) ? new Integer[] {201, 409, 503} : new Integer[] {201, 409});
        assertThat(session.execute("SELECT id FROM registered WHERE login = ? ALLOW FILTERING", login)
                        .all())
                .hasSize(1);
        long asked = System.nanoTime();
        assertThat(post(server, login)).as("once it is decided").isEqualTo(409);
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(1));
    }

    /** Comes again for as long as it is told to. */
    private List<Integer> register(Server server, String login) {
        List<Integer> heard = new ArrayList<>();
        do {
            heard.add(post(server, login));
        } while (heard.get(heard.size() - 1) == 503);
        return heard;
    }

    private int post(Server server, String login) {
        URI uri = URI.create(
                "http://127.0.0.1:%d/people?login=%s&email=%2$s@example.com".formatted(server.port(), login));
        HttpRequest request = HttpRequest.newBuilder(uri)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() == 503) {
                assertThat(response.headers().firstValue("Retry-After")).isPresent();
            }
            return response.statusCode();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Spring MVC in a servlet container, above the application. */
    private record Server(Tomcat tomcat, int port) implements AutoCloseable {

        static Server start(ApplicationContext application, Path directory) throws Exception {
            AnnotationConfigWebApplicationContext web = new AnnotationConfigWebApplicationContext();
            web.setParent(application);
            web.register(Web.class);
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(directory.toString());
            tomcat.setPort(0);
            tomcat.setSilent(true);
            var context = tomcat.addContext("", directory.toString());
            Tomcat.addServlet(context, "spring", new DispatcherServlet(web)).setLoadOnStartup(1);
            context.addServletMappingDecoded("/", "spring");
            tomcat.start();
            return new Server(tomcat, tomcat.getConnector().getLocalPort());
        }

        @Override
        public void close() throws LifecycleException {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    @Import({SurewriteWebAutoConfiguration.class, Registrations.class})
    static class Web {}

    @RestController
    static class Registrations {

        private final Registered people;

        Registrations(Registered people) {
            this.people = people;
        }

        @PostMapping("/people")
        @ResponseStatus(HttpStatus.CREATED)
        void register(@RequestParam("login") String login, @RequestParam("email") String email) {
            people.insert(new Person(UUID.randomUUID(), login, email));
        }
    }

    @Table("registered")
    record Person(@Id UUID id, String login, String email) {}

    @Idempotent
    @UniqueBy("login")
    @UniqueBy("email")
    interface Registered extends CassandraRepository<Person, UUID> {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            excludeFilters = @Filter(type = FilterType.REGEX, pattern = "(?!.*RegistrationRaceIntegrationTests\\$).*"))
    static class App {}
}
