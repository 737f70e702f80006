package io.surewrite.verification.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Judges purchases of items of which there are not enough. At the end, when everybody has an answer, no unit is lost and
 * none is sold twice: what was offered is what is left and what the item says it sold; everybody who was told "bought" is
 * among the item's purchases with what was wanted, nobody is who was refused, and nobody was refused in vain.
 *
 * <p>The subject of an event is the item, or the item and the purchase with a slash between.
 */
public final class StockChecker {

    private final List<String> violations = new ArrayList<>();

    /**
     * What is wrong.
     *
     * @param events what all processes saw, and what was read at the end
     * @return a sentence for each violation
     */
    public List<String> violations(List<Event> events) {
        events.stream()
                .filter(event -> !event.is(Event.NODE_FAULT))
                .collect(Collectors.groupingBy(event -> event.subject().split("/", 2)[0]))
                .forEach(this::check);
        return violations;
    }

    private void check(String item, List<Event> events) {
        Map<String, Long> sold = numbers(Event.SOLD, events);
        long units = sold.values().stream().mapToLong(Long::longValue).sum();
        Long offered = numbers(Event.OFFERED, events).get(item);
        Long available = numbers(Event.AVAILABLE, events).get(item);
        if (offered == null || available == null) {
            violations.add(item + " was not read at the end");
            return;
        }
        if (available < 0) {
            violations.add("%s: %d are left".formatted(item, available));
        }
        if (available + units != offered) {
            violations.add("%s: %d offered, but %d are left and %d sold".formatted(item, offered, available, units));
        }
        checkAnswers(events, sold, available);
    }

    private void checkAnswers(List<Event> events, Map<String, Long> sold, long available) {
        Map<String, Long> begun = numbers(Event.BEGUN, events);
        Map<String, Long> acknowledged = numbers(Event.ACKNOWLEDGED, events);
        Map<String, Long> refused = numbers(Event.REFUSED, events);
        sold.forEach((purchase, quantity) -> {
            if (!quantity.equals(begun.get(purchase))) {
                violations.add("%s: %d sold, but %s wanted".formatted(purchase, quantity, begun.get(purchase)));
            }
        });
        acknowledged.forEach((purchase, quantity) -> {
            if (!sold.containsKey(purchase)) {
                violations.add("%s: %d were acknowledged and are not there".formatted(purchase, quantity));
            }
        });
        refused.forEach((purchase, quantity) -> {
            if (sold.containsKey(purchase)) {
                violations.add("%s: refused, and sold all the same".formatted(purchase));
            } else if (quantity <= available) {
                violations.add("%s: %d refused, but %d are left".formatted(purchase, quantity, available));
            }
        });
        begun.keySet().stream()
                .filter(purchase -> !acknowledged.containsKey(purchase) && !refused.containsKey(purchase))
                .forEach(purchase -> violations.add(purchase + ": never got an answer"));
    }

    private static Map<String, Long> numbers(String what, List<Event> events) {
        Map<String, Long> numbers = new HashMap<>();
        events.stream().filter(event -> event.is(what)).forEach(event -> numbers.put(event.subject(), event.number()));
        return numbers;
    }
}
