package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.unique.UniqueBy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/**
 * Sixteen people register one login and one e-mail at once, over HTTP, on a machine that is busy. Each has an id of its own, and comes again
 * at once for as long as it gets 503.
 */
@Timeout(180)
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
        OwnServer.with(Registered.class, application()).run(context -> {
            ExecutorService crowd = Executors.newFixedThreadPool(PEOPLE);
            try (Server server = Server.start(context, directory);
                    Load load = new Load()) {
                assertThat(load.threads).isNotEmpty();
                for (int round = 0; round < ROUNDS; round++) {
                    race(server, crowd, "login" + round);
                }
            } finally {
                crowd.shutdownNow();
            }
        });
    }

    /** What one request was answered, and when, by {@link System#nanoTime}. */
    private record Answer(int status, long asked, long received) {}

    private void race(Server server, ExecutorService crowd, String login) {
        CyclicBarrier together = new CyclicBarrier(PEOPLE);
        List<CompletableFuture<List<Answer>>> people = new ArrayList<>();
        for (int i = 0; i < PEOPLE; i++) {
            people.add(CompletableFuture.supplyAsync(() -> register(server, together, login), crowd));
        }
        List<Answer> answers =
                people.stream().flatMap(person -> person.join().stream()).toList();
        Map<Integer, Integer> counted = new TreeMap<>();
        answers.forEach(answer -> counted.merge(answer.status(), 1, Integer::sum));
        long decided = answers.stream()
                .filter(answer -> answer.status() != 503)
                .mapToLong(Answer::received)
                .min()
                .orElseThrow();
        List<Answer> unsure =
                answers.stream().filter(answer -> answer.status() == 503).toList();
        assertThat(counted.keySet()).as("what was answered").isSubsetOf(201, 409, 503);
        assertThat(counted).containsEntry(201, 1).containsEntry(409, PEOPLE - 1);
        assertThat(unsure).as("503 once it is decided").noneMatch(answer -> answer.asked() > decided);
        assertThat(session.execute("SELECT id FROM registered WHERE login = ? ALLOW FILTERING", login)
                        .all())
                .hasSize(1);
        assertThat(post(server, login).status()).as("once it is decided").isEqualTo(409);
    }

    private List<Answer> register(Server server, CyclicBarrier together, String login) {
        try {
            together.await(30, TimeUnit.SECONDS);
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
        List<Answer> answers = new ArrayList<>();
        do {
            answers.add(post(server, login));
        } while (answers.get(answers.size() - 1).status() == 503);
        return answers;
    }

    private Answer post(Server server, String login) {
        URI uri = URI.create(
                "http://127.0.0.1:%d/people?login=%s&email=%2$s@example.com".formatted(server.port(), login));
        HttpRequest request = HttpRequest.newBuilder(uri)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            long asked = System.nanoTime();
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.headers().firstValue("Retry-After").isPresent())
                    .isEqualTo(response.statusCode() == 503);
            return new Answer(response.statusCode(), asked, System.nanoTime());
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Threads that leave little of the processors to others. */
    private static final class Load implements AutoCloseable {

        final List<Thread> threads = new ArrayList<>();

        Load() {
            for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
                Thread thread = new Thread(Load::work, "load-" + i);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        }

        private static void work() {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() {
            threads.forEach(Thread::interrupt);
        }
    }

    /** A servlet container, above the application. */
    private record Server(Tomcat tomcat, int port) implements AutoCloseable {

        static Server start(ApplicationContext application, Path directory) throws Exception {
            AnnotationConfigWebApplicationContext mvc = new AnnotationConfigWebApplicationContext();
            mvc.setParent(application);
            mvc.register(Mvc.class);
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(directory.toString());
            tomcat.setPort(0);
            tomcat.setSilent(true);
            var context = tomcat.addContext("", directory.toString());
            Wrapper wrapper = Tomcat.addServlet(context, "mvc", new DispatcherServlet(mvc));
            wrapper.setLoadOnStartup(1);
            wrapper.setAsyncSupported(true);
            context.addServletMappingDecoded("/*", "mvc");
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
    static class Mvc {}

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
}
