package io.surewrite.verification.faults;

import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.write.InvalidConfigurationException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;

/**
 * Two data centres, whose link is cut half of the time: at {@code SERIAL} with clients in both; at {@code LOCAL_SERIAL} with
 * clients in the one that has fewer replicas, while applications try to start in the other and must not.
 */
final class DataCentres {

    private static final String LARGE = "dc1";
    private static final String SMALL = "dc2";

    private DataCentres() {}

    /** After a cut, nodes call each other up before the driver's sessions do: so a name is blocked for longer. */
    static void run(String level, Duration longestBlocked, Duration howLong) throws Exception {
        boolean local = level.equals("local-serial");
        System.setProperty("surewrite.conditional.serial-consistency", level);
        System.setProperty("spring.cassandra.request.consistency", local ? "local_quorum" : "quorum");
        List<Trial> trials =
                new ArrayList<>(List.of(new LeaseTrial(local ? 2 : 4, longestBlocked), new UniqueTrial(2, 20)));
        if (local) {
            trials.add(new Strangers());
        }
        Run.make(
                "data-centres-" + level,
                EmbeddedCassandra.builder()
                        .dataCenter(LARGE, 2)
                        .dataCenter(SMALL, 1)
                        .heapMegabytes(384),
                local ? List.of(SMALL) : List.of(LARGE, SMALL),
                howLong,
                (run, random, end) -> {
                    cutAndHeal(run, random, end);
                    Thread.sleep(longestBlocked.toMillis());
                },
                trials);
    }

    private static void cutAndHeal(Run run, Random random, long end) throws IOException, InterruptedException {
        while (System.nanoTime() < end) {
            long millis = random.nextLong(2_000, 12_000);
            run.during(Event.NODE_FAULT, "the link, cut", () -> {
                run.cluster().cutLink(LARGE, SMALL);
                Thread.sleep(millis);
                run.cluster().restoreLink(LARGE, SMALL);
                run.awaitMembers();
            });
            Thread.sleep(millis);
        }
    }

    /** Applications in the data centre that is not the home. */
    private static final class Strangers implements Trial {

        private final List<String> let = new ArrayList<>();
        private int refused;

        @Override
        public void begin(Run run) {}

        @Override
        public void look(Run run) {
            try (ConfigurableApplicationContext application =
                    run.connection(LARGE).start("stranger")) {
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
