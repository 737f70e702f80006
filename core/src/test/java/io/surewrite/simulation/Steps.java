package io.surewrite.simulation;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts how often each step of a protocol met what may go wrong. The name of a step is the first word of what is sent. */
public final class Steps {

    private static final int ENOUGH = 1_000;

    private final Map<String, Map<Met, LongAdder>> counts = new ConcurrentSkipListMap<>();

    /** What a step met. */
    public enum Met {
        /** Nothing in particular, or one of the others. */
        ANYTHING,
        /** The request, or its answer, was lost. */
        LOST,
        /** It arrived, or may have arrived, after its sender had given up. */
        LATE,
        /** Its sender died before the answer came. */
        CRASH,
        /** Another operation was at work on the row. */
        SECOND
    }

    /** Counts a step, and waits for its answer. */
    <A> Consumer<@Nullable A> sent(
            SimProcess from, Supplier<String> what, @Nullable Met fate, Consumer<@Nullable A> onAnswer) {
        String text = what.get();
        int space = text.indexOf(' ');
        String step = space < 0 ? text : text.substring(0, space);
        count(step, Met.ANYTHING);
        if (fate != null) {
            count(step, fate);
        }
        if (from.hasCompany(text)) {
            count(step, Met.SECOND);
        }
        from.inFlight().add(step);
        return answer -> {
            from.inFlight().remove(step);
            onAnswer.accept(answer);
        };
    }

    void crashed(SimProcess process) {
        process.inFlight().forEach(step -> count(step, Met.CRASH));
    }

    private void count(String step, Met met) {
        counts.computeIfAbsent(step, name -> {
                    Map<Met, LongAdder> ofStep = new EnumMap<>(Met.class);
                    for (Met each : Met.values()) {
                        ofStep.put(each, new LongAdder());
                    }
                    return ofStep;
                })
                .get(met)
                .increment();
    }

    /** {@return whether each step has met each of them often enough} */
    public boolean haveMetAll() {
        return !counts.isEmpty()
                && counts.values().stream()
                        .flatMap(ofStep -> ofStep.values().stream())
                        .allMatch(count -> count.sum() >= ENOUGH);
    }

    /** A line for each step; what was met too seldom has an exclamation mark. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("Steps, and how often they met what: ");
        counts.forEach((step, ofStep) -> {
            text.append("%n%-14s".formatted(step));
            ofStep.forEach((met, count) ->
                    text.append(" %s %,d%s".formatted(met, count.sum(), count.sum() < ENOUGH ? "!" : "")));
        });
        return text.toString();
    }
}
