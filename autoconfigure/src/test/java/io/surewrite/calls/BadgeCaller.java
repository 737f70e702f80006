package io.surewrite.calls;

import static org.awaitility.Awaitility.await;

import io.surewrite.testsupport.RowJudge;
import io.surewrite.testsupport.RowJudge.Kind;
import io.surewrite.testsupport.RowJudge.Operation;
import io.surewrite.testsupport.RowJudge.Outcome;
import io.surewrite.write.UnknownOutcomeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.dao.DataAccessException;

/** Makes calls of guarded repositories, and writes down what they did with each row, for the judge of rows. */
final class BadgeCaller {

    private static final int ROWS = 12;
    private static final Duration LONGEST_CALL = Duration.ofMinutes(2);

    private final Badges badges;
    private final ReactiveBadges reactive;
    private final long seed;
    private final Map<String, List<Operation>> histories = new ConcurrentHashMap<>();

    /** How a row is saved, deleted or read. */
    private enum Way {
        SAVE,
        REACTIVE_SAVE,
        INSERT,
        INTERRUPTED,
        DISPOSED,
        DELETE,
        REACTIVE_DELETE,
        READ
    }

    BadgeCaller(ListableBeanFactory application, long seed) {
        badges = application.getBean(Badges.class);
        reactive = application.getBean(ReactiveBadges.class);
        this.seed = seed;
    }

    /** Made up by the seed and its number. What it sends is in the hands of {@link BadNetwork}, by its names and marks. */
    void make(int number) {
        SplittableRandom random = new SplittableRandom(seed + 0x9E3779B97F4A7C15L * number);
        Way way = Way.values()[random.nextInt(Way.values().length)];
        int row = random.nextInt(ROWS);
        String mark = "m99-%06d.0".formatted(number);
        // Most have their own.
        int login = random.nextInt(3) == 0 ? random.nextInt(ROWS) : row;
        Badge badge = new Badge(name(row), "b98-p%02d".formatted(login), mark, mark);
        Duration patience = Duration.ofMillis(1 + random.nextInt(200));
        Kind kind = switch (way) {
            case DELETE, REACTIVE_DELETE -> Kind.DELETE;
            case READ -> Kind.READ;
            default -> Kind.WRITE;
        };
        String content = kind == Kind.WRITE ? badge.content() : null;
        long begin = System.nanoTime();
        Outcome outcome = Outcome.DONE;
        try {
            switch (way) {
                case SAVE -> badges.save(badge);
                case REACTIVE_SAVE -> reactive.save(badge).block(LONGEST_CALL);
                case INSERT -> badges.insert(badge);
                case INTERRUPTED -> Caller.interrupt(() -> badges.save(badge), patience);
                case DISPOSED -> Caller.dispose(reactive.save(badge), patience);
                case DELETE -> badges.deleteById(badge.name());
                case REACTIVE_DELETE -> reactive.deleteById(badge.name()).block(LONGEST_CALL);
                case READ -> content = read(badge.name());
            }
        } catch (Exception thrown) {
            outcome = outcome(Caller.unwrap(thrown));
        }
        add(badge.name(), new Operation(way + " " + number, kind, content, outcome, begin, System.nanoTime(), null));
    }

    /** When nothing is on its way any more; the node may still be busy with what was late. */
    void look() {
        for (int row = 0; row < ROWS; row++) {
            String name = name(row);
            long begin = System.nanoTime();
            String content = await().atMost(Duration.ofMinutes(1))
                    .ignoreExceptions()
                    .until(() -> Optional.ofNullable(read(name)), read -> true)
                    .orElse(null);
            add(name(row), new Operation("the end", Kind.READ, content, Outcome.DONE, begin, System.nanoTime(), null));
        }
    }

    /** {@return what is wrong, a sentence for each row} */
    List<String> judge() {
        List<String> wrong = new ArrayList<>();
        histories.forEach((name, history) -> RowJudge.inAnyOrder(null, history)
                .ifPresent(sentence -> wrong.add("%s is %s%n%s".formatted(name, sentence, history))));
        return wrong;
    }

    Map<Outcome, Integer> outcomes() {
        Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
        histories.values().forEach(all -> all.forEach(each -> outcomes.merge(each.outcome(), 1, Integer::sum)));
        return outcomes;
    }

    private static String name(int row) {
        return "b99-p%02d".formatted(row);
    }

    private @Nullable String read(String name) {
        return badges.findById(name).map(Badge::content).orElse(null);
    }

    private void add(String name, Operation operation) {
        List<Operation> history = histories.computeIfAbsent(name, first -> new ArrayList<>());
        synchronized (history) {
            history.add(operation);
        }
    }

    private static Outcome outcome(Throwable failure) {
        if (failure instanceof UnknownOutcomeException || failure instanceof CancellationException) {
            return Outcome.UNKNOWN;
        } else if (failure instanceof DataAccessException) {
            return Outcome.FAILED;
        }
        throw new IllegalStateException("That is no answer", failure);
    }
}
