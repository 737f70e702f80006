package io.surewrite.calls;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surewrite.backlog.StoredWriteBacklog.BacklogSettings;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.calls.Comparison.Lie;
import io.surewrite.calls.Comparison.What;
import io.surewrite.calls.Report.Outcome;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy;
import io.surewrite.test.RequestTimeout;
import io.surewrite.testsupport.BothLanes;
import io.surewrite.testsupport.LongLane;
import io.surewrite.testsupport.RowJudge;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Calls of an application on a network that loses, delays and repeats frames: what each caller was told is compared with the
 * rows and their write times when nothing is on its way any more. {@code -Dsurewrite.seed=...} makes the same calls again,
 * with the same faults; the threads may take other turns.
 */
@BothLanes
class GeneratedCallsIntegrationTests extends CassandraTest {

    private static final long SEED = Long.getLong("surewrite.seed", System.nanoTime());
    private static final int CALLS = Integer.getInteger("surewrite.calls", 300);
    private static final int CALLERS = 24;

    /** In percent. */
    private static final int DOOMED = 5;

    /** To find what is planted. */
    private static final int FEW = 200;

    /** So many that each outcome must be among them. */
    private static final int MANY = 2000;

    private static final AtomicInteger RUNS = new AtomicInteger();

    @TempDir
    private static Path directory;

    private static volatile BadNetwork network;
    private static FrameProxy proxy;
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void openTheOffice() throws IOException {
        session.execute(Note.DDL);
        session.execute(Badge.DDL);
        network = new BadNetwork(SEED, 0);
        proxy = new FrameProxy(
                keyspace.server().contactPoint().getPort(), Duration.ZERO, frame -> network.apply(frame));
        application = new SpringApplicationBuilder(Office.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .initializers(context -> ((GenericApplicationContext) context)
                        .registerBean(
                                BacklogSettings.class,
                                () -> new BacklogSettings(
                                        Duration.ofHours(1), 32, Duration.ofMillis(50), Duration.ofMillis(1500))))
                .properties(connection())
                .properties(
                        "spring.cassandra.contact-points=127.0.0.1:" + proxy.port(),
                        "surewrite.schema.initialize=always",
                        // Over before a reservation is: a late write never meets a takeover.
                        "surewrite.conditional.attempt-timeout=3s",
                        "surewrite.unique.pending-wait=300ms",
                        "surewrite.unique.timeout=5s",
                        "surewrite.backlog.enabled=true",
                        "surewrite.backlog.directory=" + directory,
                        "surewrite.retry.attempts=" + Comparison.ATTEMPTS,
                        "surewrite.retry.initial-backoff=5ms")
                .run();
        RequestTimeout.set(application, Duration.ofMillis(400));
    }

    @AfterAll
    static void closeTheOffice() throws IOException {
        application.close();
        proxy.close();
    }

    @Test
    void noCallerHearsALie() throws Exception {
        Run run = run(Plant.NOTHING, CALLS, List.of(Kind.values()), DOOMED);
        System.out.println(run);
        assertThat(run.lies()).as("seed %d", SEED).isEmpty();
        assertThat(run.count(Outcome.DONE)).isGreaterThan(CALLS / 10);
        if (CALLS >= MANY) {
            assertThat(Outcome.values())
                    .allSatisfy(each ->
                            assertThat(run.count(each)).as(each.toString()).isPositive());
        }
    }

    /** Whatever is lost, late or given up: each row is a register, whose value is the whole row. */
    @Test
    void guardedRowsAreRegisters() throws Exception {
        network = new BadNetwork(SEED, DOOMED);
        BadgeCaller caller = new BadgeCaller(application, SEED);
        atOnce(IntStream.range(0, CALLS).mapToObj(number -> Executors.callable(() -> caller.make(number))));
        network.mend();
        await().atMost(Duration.ofMinutes(3)).until(() -> proxy.onTheWay() == 0);
        caller.look();
        System.out.printf(
                "Generated calls of guarded repositories, seed %d: %s; requests: %s%n",
                SEED, caller.outcomes(), network);
        assertThat(caller.judge()).as("seed %d", SEED).isEmpty();
        assertThat(caller.outcomes().get(RowJudge.Outcome.DONE)).isGreaterThan(CALLS / 4);
    }

    @LongLane
    @ParameterizedTest
    @EnumSource(value = Plant.class, names = "NOTHING", mode = Mode.EXCLUDE)
    void whatIsPlantedIsFound(Plant plant) throws Exception {
        Run run = run(plant, FEW, Kind.SEVERAL, 5 * DOOMED);
        System.out.println(run);
        What trace = plant == Plant.OUTCOME_OF_THE_LAST_STATEMENT ? What.NOT_DONE_BUT_THERE : What.TWO_TIMESTAMPS;
        assertThat(run.lies()).as("seed %d", SEED).extracting(Lie::what).contains(trace);
    }

    private record Run(Plant plant, List<Report> reports, List<Lie> lies, String faults) {

        long count(Outcome outcome) {
            return reports.stream().filter(each -> each.outcome() == outcome).count();
        }

        @Override
        public String toString() {
            Map<Outcome, Long> outcomes =
                    reports.stream().collect(groupingBy(Report::outcome, TreeMap::new, counting()));
            return "Generated calls, seed %d, %s: %,d calls, %s; requests: %s; %d lies"
                    .formatted(SEED, plant, reports.size(), outcomes, faults, lies.size());
        }
    }

    /** The node may be busy for a moment with what was late. */
    private static Map<String, Board> settled(List<String> names) {
        AtomicReference<Map<String, Board>> last = new AtomicReference<>(Map.of());
        await().atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    Map<String, Board> now = Board.all(session, names);
                    return now.equals(last.getAndSet(now));
                });
        return last.get();
    }

    private static Run run(Plant plant, int calls, List<Kind> kinds, int doomed) throws Exception {
        int number = RUNS.getAndIncrement();
        network = new BadNetwork(SEED, doomed);
        application.getBean(Desk.class).plant(plant);
        Caller caller = new Caller(application, plant);
        List<Report> reports = atOnce(IntStream.range(0, calls)
                .mapToObj(each -> Call.of(SEED, number, each, kinds))
                .map(call -> () -> caller.make(call)));
        network.mend();
        WriteBacklog backlog = application.getBean(WriteBacklog.class);
        await().atMost(Duration.ofMinutes(3))
                .until(() -> proxy.onTheWay() == 0 && backlog.size().entries() == 0);
        List<String> names = reports.stream()
                .flatMap(each -> each.call().notes().stream())
                .map(Note::board)
                .distinct()
                .toList();
        List<Lie> lies = Comparison.of(reports, settled(names), network::sent);
        return new Run(plant, reports, lies, network.toString());
    }

    private static <T> List<T> atOnce(Stream<Callable<T>> calls) throws Exception {
        List<T> answers = new ArrayList<>();
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            for (Future<T> each : callers.invokeAll(calls.toList())) {
                answers.add(each.get());
            }
        } finally {
            callers.shutdownNow();
        }
        return answers;
    }
}
