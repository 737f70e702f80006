package io.surewrite.verification.faults;

import io.surewrite.cql.InvalidConfigurationException;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.verification.Arguments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;

/**
 * {@link LeaseFaults} and {@link UniqueFaults} on two data centres, whose link is cut half of the time: at {@code SERIAL} with
 * clients in both; at {@code LOCAL_SERIAL} with clients in the one that has fewer replicas, while applications try to start in
 * the other and must not. Run it with {@code mvn -pl verification -am -DskipTests -Pfaults-data-centres package};
 * {@code -Dverification.argument=1200} makes each of the two last 20 minutes.
 */
public final class DataCentreFaults {

    private static final String LARGE = "dc1";
    private static final String SMALL = "dc2";
    private static final Duration SETTLED = Duration.ofSeconds(60);

    /** After a cut, nodes call each other up before the driver's sessions do. */
    private static final Duration LONGEST_BLOCKED = LeaseFaults.LONGEST_BLOCKED.plusSeconds(4);

    private DataCentreFaults() {}

    /**
     * Runs for a while at each level and throws if anything was wrong.
     *
     * @param args how many seconds for each, and the levels if not both, as one text with a comma
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, "120", "serial+local-serial");
        for (String level : arguments.text(1).split("\\+", -1)) {
            boolean local = level.equals("local-serial");
            System.setProperty("surewrite.conditional.serial-consistency", level);
            System.setProperty("spring.cassandra.request.consistency", local ? "local_quorum" : "quorum");
            run("data-centres-" + level, arguments.text(0), local);
        }
    }

    private static void run(String name, String seconds, boolean local) throws Exception {
        Stream<Trial> trials = Stream.of(new LeaseFaults(local ? 2 : 4, LONGEST_BLOCKED), new UniqueFaults(2, 20));
        Ordeal.run(
                        name,
                        seconds,
                        Stream.concat(trials, local ? Stream.of(new Strangers()) : Stream.of())
                                .toList(),
                        () -> new Run(
                                name,
                                EmbeddedCassandra.builder()
                                        .dataCenter(LARGE, 2)
                                        .dataCenter(SMALL, 1)
                                        .heapMegabytes(384),
                                local ? List.of(SMALL) : List.of(LARGE, SMALL)),
                        DataCentreFaults::cutAndHeal)
                .throwIfWrong();
    }

    private static void cutAndHeal(Run run, History history, long seed, long end) throws InterruptedException {
        Random random = new Random(seed);
        while (System.nanoTime() < end) {
            long millis = random.nextLong(2_000, 12_000);
            long from = System.nanoTime();
            run.cluster().cutLink(LARGE, SMALL);
            Thread.sleep(millis);
            run.cluster().restoreLink(LARGE, SMALL);
            run.cluster().awaitMembers(SETTLED);
            history.add(Event.NODE_FAULT, "the link, cut", 0, from);
            Thread.sleep(millis);
        }
        Thread.sleep(LONGEST_BLOCKED.toMillis());
    }

    /** Applications in the data centre that is not the home. */
    private static final class Strangers implements Trial {

        private final List<String> let = new ArrayList<>();
        private @Nullable Connection connection;
        private int refused;

        @Override
        public void begin(Run run) {
            connection = run.connection(LARGE);
        }

        @Override
        public void look(History history) {
            if (connection == null) {
                throw new IllegalStateException("Not begun");
            }
            try (ConfigurableApplicationContext application = connection.start(LeaseClient.Application.class)) {
                application.getBean(LeaseLocks.class);
                let.add("an application in " + LARGE + " got leases that " + SMALL + " decides");
            } catch (RuntimeException failed) {
                if (NestedExceptionUtils.getMostSpecificCause(failed) instanceof InvalidConfigurationException) {
                    refused++;
                } else {
                    throw failed;
                }
            }
        }

        @Override
        public Verdict judge(List<Event> events) {
            if (refused == 0) {
                let.add("no application tried to start in " + LARGE);
            }
            return new Verdict("Starts in the other data centre: %d refused".formatted(refused), refused, let);
        }
    }
}
