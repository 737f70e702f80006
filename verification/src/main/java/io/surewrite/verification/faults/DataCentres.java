package io.surewrite.verification.faults;

import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.write.InvalidConfigurationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;

/**
 * Two data centres, whose link is cut half of the time: at {@code SERIAL} with clients in both; at {@code LOCAL_SERIAL} with
 * clients in the one that has fewer replicas, while applications try to start in the other and must not.
 */
final class DataCentres {

    private static final String LARGE = "dc1";
    private static final String SMALL = "dc2";
    private static final Duration SETTLED = Duration.ofSeconds(60);

    private DataCentres() {}

    /** After a cut, nodes call each other up before the driver's sessions do: so a name is blocked for longer. */
    static Ordeal at(String level, Duration longestBlocked) {
        boolean local = level.equals("local-serial");
        System.setProperty("surewrite.conditional.serial-consistency", level);
        System.setProperty("spring.cassandra.request.consistency", local ? "local_quorum" : "quorum");
        List<Trial> trials =
                new ArrayList<>(List.of(new LeaseTrial(local ? 2 : 4, longestBlocked), new UniqueTrial(2, 20)));
        if (local) {
            trials.add(new Strangers());
        }
        return new Ordeal(
                "data-centres-" + level,
                EmbeddedCassandra.builder()
                        .dataCenter(LARGE, 2)
                        .dataCenter(SMALL, 1)
                        .heapMegabytes(384),
                local ? List.of(SMALL) : List.of(LARGE, SMALL),
                (run, history, seed, end) -> {
                    cutAndHeal(run, history, new Random(seed), end);
                    Thread.sleep(longestBlocked.toMillis());
                },
                trials);
    }

    private static void cutAndHeal(Run run, History history, Random random, long end) throws InterruptedException {
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
            return new Verdict("Starts in the other data centre: %d refused".formatted(refused), refused, let);
        }
    }
}
