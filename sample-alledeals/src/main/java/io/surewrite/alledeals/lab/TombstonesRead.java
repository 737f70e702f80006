package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.QueryTrace;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The same rows by Spring Data's save and by an overwrite. What does a read of them have to step over? */
@Component
public class TombstonesRead implements Experiment {

    private static final int ROWS = 40;
    private static final int TIMES = 3;
    private static final int LOOKS = 200;
    private static final Pattern SAID = Pattern.compile("Read \\d+ live rows and (\\d+) tombstone");

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
        ResultSet read =
                session.execute(SimpleStatement.newInstance("SELECT * FROM cass_lab_profile WHERE way = ?", partition)
                        .setTracing(true));
        int rows = read.all().size();
        long tombstones = tombstones(read);
        run.settle();
        return new Verdict(
                "One read of %d rows steps over %d tombstones".formatted(rows, tombstones),
                rows == ROWS && tombstones == 0);
    }

    /** How many a traced query has met, as the server says in its trace, which is there a moment after the answer. */
    public static long tombstones(ResultSet traced) throws InterruptedException {
        for (int look = 0; look < LOOKS; look++) {
            try {
                OptionalLong said = said(traced.getExecutionInfo().getQueryTrace());
                if (said.isPresent()) {
                    return said.getAsLong();
                }
            } catch (IllegalStateException notYet) {
                // The driver does not wait for long.
            }
            Thread.sleep(50);
        }
        throw new IllegalStateException("The trace says nothing of rows read");
    }

    private static OptionalLong said(QueryTrace trace) {
        return trace.getEvents().stream()
                .map(event -> SAID.matcher(String.valueOf(event.getActivity())))
                .filter(Matcher::find)
                .mapToLong(read -> Long.parseLong(read.group(1)))
                .max();
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
