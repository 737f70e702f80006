package io.surewrite.repository;

import io.surewrite.retry.IdempotentMethodException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Repositories ask for what cannot be done, and the application does not start. It has all refusals of all repositories. */
public final class RefusedRepositoriesException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // exceptions are
    private final List<RuntimeException> refusals;

    private RefusedRepositoriesException(List<RuntimeException> refusals) {
        super(refusals.stream().map(Throwable::getMessage).collect(Collectors.joining("\n\n")), refusals.get(0));
        this.refusals = refusals;
    }

    /** Of all that was found: equal ones count once. */
    static RefusedRepositoriesException of(List<RuntimeException> found) {
        return new RefusedRepositoriesException(readable(found));
    }

    /**
     * {@return each exception that a refusal alone would have been, in the order of the methods' names} Methods of one
     * repository that are refused for the same reasons share one.
     */
    public List<RuntimeException> refusals() {
        return refusals;
    }

    private static List<RuntimeException> readable(List<RuntimeException> found) {
        Map<Object, RuntimeException> distinct = new LinkedHashMap<>();
        Map<Object, TreeSet<String>> methods = new LinkedHashMap<>();
        for (RuntimeException refused : found) {
            Object key = String.valueOf(refused.getMessage());
            if (refused instanceof IdempotentMethodException one) {
                String repository = one.method().substring(0, one.method().lastIndexOf('.') + 1);
                key = List.of(repository, one.reasons());
                methods.computeIfAbsent(key, added -> new TreeSet<>()).add(one.method());
            }
            distinct.putIfAbsent(key, refused);
        }
        methods.forEach((key, names) -> distinct.computeIfPresent(
                key,
                (same, first) -> names.size() == 1
                        ? first
                        : new IdempotentMethodException(
                                String.join(", ", names), ((IdempotentMethodException) first).reasons())));
        List<RuntimeException> refusals = new ArrayList<>(distinct.values());
        refusals.sort(Comparator.comparing(refused -> String.valueOf(refused.getMessage())));
        return List.copyOf(refusals);
    }
}
