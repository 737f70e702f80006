package io.surewrite.verification.faults;

import io.surewrite.testsupport.RowJudge;
import io.surewrite.testsupport.RowJudge.Kind;
import io.surewrite.testsupport.RowJudge.Operation;
import io.surewrite.testsupport.RowJudge.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges rows that want values for themselves. Each row is one register: its writes, deletions and reads have an order that
 * explains all of them. No two rows have one value at the same time.
 *
 * <p>One thing is let pass, as no protocol over plain writes prevents it, and counted: a write of unknown outcome that comes
 * late, while the row is taken over, shows for a moment, and is gone.
 */
final class UniqueChecker {

    /** A reservation is three seconds, of which a time to live in whole seconds may take one. Before that nobody takes over. */
    private static final long LATE = TimeUnit.SECONDS.toNanos(2);

    /** A takeover's write is acknowledged until then, or the takeover is not finished. */
    private static final long MOMENT = TimeUnit.SECONDS.toNanos(5);

    private final Map<String, List<Operation>> rows = new LinkedHashMap<>();
    private final Set<String> violations = new LinkedHashSet<>();
    private int flickers;

    /** {@return what is wrong with what all processes saw, a sentence each} */
    List<String> violations(List<Event> events) {
        read(events);
        rows.replaceAll(this::judged);
        Map<String, List<Spell>> byValue = new HashMap<>();
        rows.forEach((subject, history) -> addSpells(subject, history, byValue));
        byValue.forEach(this::checkValue);
        return List.copyOf(violations);
    }

    /** {@return how many writes of unknown outcome have shown for a moment} */
    int flickers() {
        return flickers;
    }

    /** {@return the operations on each row} */
    Map<String, List<Operation>> rows() {
        return rows;
    }

    static String value(String content) {
        return content.substring(0, content.indexOf(' '));
    }

    // ---- from events to operations ----

    /** A call, or a look at a whole table, as its process numbers it. */
    private record Numbered(String who, long number) {

        Numbered(Event event) {
            this(event.who(), event.number());
        }
    }

    private void read(List<Event> events) {
        Map<Numbered, Event> ends = new HashMap<>();
        Map<Numbered, Set<String>> shown = new HashMap<>();
        Map<String, NavigableMap<Long, Event>> looks = new HashMap<>();
        for (Event event : events) {
            switch (event.what()) {
                case Event.ACKNOWLEDGED, Event.REFUSED, Event.FAILED -> ends.put(new Numbered(event), event);
                case Event.READ ->
                    shown.computeIfAbsent(new Numbered(event), look -> new HashSet<>())
                            .add(event.subject());
                case Event.LOOKED ->
                    looks.computeIfAbsent(event.subject(), table -> new TreeMap<>())
                            .put(event.from(), event);
                default -> {}
            }
        }
        for (Event event : events) {
            if (event.is(Event.BEGUN)) {
                add(event.subject(), call(event, ends.get(new Numbered(event))));
            } else if (event.is(Event.READ)) {
                add(event.subject(), look(event, event.content()));
            }
        }
        rows.forEach((subject, history) -> {
            long last = lastSign(history);
            String table = subject.substring(0, subject.indexOf(' '));
            for (Event look : looks.getOrDefault(table, new TreeMap<>())
                    .tailMap(begin(history))
                    .values()) {
                if (!shown.getOrDefault(new Numbered(look), Set.of()).contains(subject)) {
                    history.add(look(look, null));
                }
                if (look.from() > last) {
                    break;
                }
            }
        });
    }

    private void add(String subject, Operation operation) {
        rows.computeIfAbsent(subject, row -> new ArrayList<>()).add(operation);
    }

    private static Operation call(Event begun, @Nullable Event end) {
        Outcome outcome = Outcome.UNKNOWN;
        if (end != null && !end.is(Event.FAILED)) {
            outcome = end.is(Event.ACKNOWLEDGED) ? Outcome.DONE : Outcome.FAILED;
        }
        return new Operation(
                "%s of %s, call %d"
                        .formatted(begun.content() == null ? "the deletion" : "the write", begun.who(), begun.number()),
                begun.content() == null ? Kind.DELETE : Kind.WRITE,
                begun.content(),
                outcome,
                begun.from(),
                end == null ? RowJudge.OPEN : end.to(),
                null);
    }

    private static Operation look(Event event, @Nullable String content) {
        return new Operation(
                "the read of %s at %d".formatted(event.who(), event.from()),
                Kind.READ,
                content,
                Outcome.DONE,
                event.from(),
                event.to(),
                null);
    }

    private static long begin(List<Operation> history) {
        return history.stream().mapToLong(Operation::begin).min().orElseThrow();
    }

    /** After it one look that does not show the row is as good as all. */
    private static long lastSign(List<Operation> history) {
        return history.stream()
                .mapToLong(operation -> operation.end() == RowJudge.OPEN ? operation.begin() : operation.end())
                .max()
                .orElseThrow();
    }

    // ---- each row is one register ----

    /** {@return the history without what has shown for a moment} */
    private List<Operation> judged(String subject, List<Operation> history) {
        Optional<String> wrong = RowJudge.inAnyOrder(null, history);
        if (wrong.isEmpty()) {
            return history;
        }
        Optional<List<Operation>> withoutFlicker = RowJudge.withoutFlicker(history, LATE, MOMENT);
        if (withoutFlicker.isPresent()) {
            flickers++;
            return withoutFlicker.get();
        }
        violations.add(subject + " is " + wrong.get());
        return history;
    }

    // ---- no two rows have one value ----

    /**
     * A row had its value at some instant of a read or a write, and from its end on until an operation began that may have
     * taken it away: not a moment, if one had begun already.
     */
    private record Spell(String subject, long from, long to, long until) {

        boolean meets(Spell other) {
            return Math.max(to, other.to) < Math.min(until, other.until)
                    || holdsAtAnyOf(other)
                    || other.holdsAtAnyOf(this);
        }

        private boolean holdsAtAnyOf(Spell other) {
            return to < other.from && other.to < until;
        }

        boolean isPartOf(Spell earlier) {
            return earlier.to <= from && Math.max(to, until) <= earlier.until;
        }

        long last() {
            return Math.max(to, until);
        }
    }

    private static void addSpells(String subject, List<Operation> history, Map<String, List<Spell>> byValue) {
        List<Operation> changes = history.stream()
                .filter(operation -> operation.kind() != Kind.READ && operation.outcome() != Outcome.FAILED)
                .toList();
        Map<String, Spell> last = new HashMap<>();
        history.stream()
                .filter(sign -> sign.content() != null && sign.outcome() == Outcome.DONE)
                .sorted(Comparator.comparingLong(Operation::begin))
                .forEach(sign -> {
                    String value = value(Objects.requireNonNull(sign.content()));
                    Spell spell = spell(subject, sign, value, changes);
                    Spell earlier = last.get(value);
                    if (spell != null && (earlier == null || !spell.isPartOf(earlier))) {
                        last.put(value, spell);
                        byValue.computeIfAbsent(value, first -> new ArrayList<>())
                                .add(spell);
                    }
                });
    }

    private static @Nullable Spell spell(String subject, Operation sign, String value, List<Operation> changes) {
        long until = RowJudge.OPEN;
        for (Operation change : changes) {
            if (change.content() != null && value(change.content()).equals(value)) {
                continue;
            }
            if (change.begin() > sign.end()) {
                until = Math.min(until, change.begin());
            } else if (change.end() >= sign.begin()) {
                if (sign.kind() == Kind.WRITE) {
                    return null; // It may have been dead on arrival.
                }
                until = sign.begin();
            }
        }
        return new Spell(subject, sign.begin(), sign.end(), until);
    }

    private void checkValue(String value, List<Spell> spells) {
        spells.sort(Comparator.comparingLong(Spell::from));
        for (int i = 0; i < spells.size(); i++) {
            Spell spell = spells.get(i);
            for (int j = i + 1; j < spells.size() && spells.get(j).from() < spell.last(); j++) {
                Spell other = spells.get(j);
                if (!spell.subject().equals(other.subject()) && spell.meets(other)) {
                    violations.add("two owners of %s: %s"
                            .formatted(
                                    value,
                                    String.join(
                                            " and ",
                                            Stream.of(spell.subject(), other.subject())
                                                    .sorted()
                                                    .toList())));
                }
            }
        }
    }
}
