package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.overwrite.TombstoneBudget;
import io.surewrite.overwrite.TombstoneBudget.TombstoneCount;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The same rows by Spring Data's save and by an overwrite. What does a read of them have to step over? */
@Component
class TombstonesRead implements Experiment {

    private static final int ROWS = 40;
    private static final int TIMES = 3;

    private final LabProfiles profiles;
    private final CqlSession session;

    TombstonesRead(LabProfiles profiles, CqlSession session) {
        this.profiles = profiles;
        this.session = session;
    }

    @Override
    public String name() {
        return "tombstones";
    }

    @Override
    public Verdict plain(Run run) throws Exception {
        return write(run, profiles::save);
    }

    @Override
    public Verdict sure(Run run) throws Exception {
        return write(run, profiles::overwrite);
    }

    private Verdict write(Run run, Consumer<LabProfile> way) throws Exception {
        String partition = "profiles " + UUID.randomUUID();
        run.begin();
        RandomGenerator random = run.random("profiles");
        for (int time = 1; time <= TIMES; time++) {
            for (int number = 0; number < ROWS; number++) {
                way.accept(profile(partition, number, random));
            }
            run.say("%d rows are written, for the %s time"
                    .formatted(ROWS, List.of("first", "second", "third").get(time - 1)));
        }
        run.watch("the reader", partition);
        TombstoneCount read = TombstoneBudget.in(session)
                .assertThat("SELECT * FROM cass_lab_profile WHERE way = ?", partition)
                .count();
        run.settle();
        return new Verdict(
                "One read of %d rows steps over %d tombstones".formatted(read.liveRows(), read.tombstones()),
                read.liveRows() == ROWS && read.tombstones() == 0);
    }

    private static LabProfile profile(String partition, int number, RandomGenerator random) {
        return new LabProfile(
                partition,
                number,
                "Nobody",
                maybe(random, "Antwerp"),
                maybe(random, "Kaai 3"),
                maybe(random, "03 123"),
                maybe(random, "Sells lamps"),
                maybe(random, "example.org"));
    }

    private static @Nullable String maybe(RandomGenerator random, String value) {
        return random.nextInt(4) == 0 ? value : null;
    }
}
