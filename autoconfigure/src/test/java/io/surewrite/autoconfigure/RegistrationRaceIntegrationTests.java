package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.unique.UniqueBy;
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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.http.HttpStatus;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Sixteen people register one login and one e-mail at once, with Spring MVC, on a machine that is busy. Each has an id of its own, and comes again
 * at once for as long as it gets 503.
 */
@Timeout(180)
class RegistrationRaceIntegrationTests extends CassandraTest {

    private static final int PEOPLE = 16;
    private static final int ROUNDS = 4;

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE registered (id uuid PRIMARY KEY, login text, email text)");
    }

    @Test
    void hasOneWinnerAndTellsAllOthersThatTheyLost() {
        OwnServer.with(Registered.class, application()).run(context -> {
            MockMvc server = MockMvcBuilders.standaloneSetup(new Registrations(context.getBean(Registered.class)))
                    .setControllerAdvice(new ProblemAdvice())
                    .build();
            ExecutorService crowd = Executors.newFixedThreadPool(PEOPLE);
            try (Load load = new Load()) {
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

    private static void race(MockMvc server, ExecutorService crowd, String login) {
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

    private static List<Answer> register(MockMvc server, CyclicBarrier together, String login) {
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

    private static Answer post(MockMvc server, String login) {
        try {
            long asked = System.nanoTime();
            MockHttpServletResponse response = server.perform(MockMvcRequestBuilders.post("/people")
                            .param("login", login)
                            .param("email", login + "@example.com"))
                    .andReturn()
                    .getResponse();
            assertThat(response.containsHeader("Retry-After")).isEqualTo(response.getStatus() == 503);
            return new Answer(response.getStatus(), asked, System.nanoTime());
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
