package io.surewrite.write;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A configuration that cannot work: an annotation, a setting, a table, a session or a server. The application does not start, or, where
 * it asks late, does not get what it asks for. It says what is wrong, and the fix.
 */
public final class InvalidConfigurationException extends IllegalStateException {

    /** What is wrong with an annotation comes after what is wrong with a session, a server or a table. */
    private static final Set<String> PAGES_OF_ANNOTATIONS = Set.of("idempotence", "leases", "overwrites", "unique");

    private final String subject;
    private final String problem;
    private final String fix;
    private final String page;

    private final List<InvalidConfigurationException> refusals;

    /**
     * @param subject what it is about, such as a method with its class, a table, or the prefix of properties
     * @param problem what is wrong, with the subject
     * @param fix what to do about it
     * @param page the page of the documentation that explains it, as in {@code unique}
     */
    public InvalidConfigurationException(String subject, String problem, String fix, String page) {
        this(subject, problem, fix, page, List.of());
    }

    private InvalidConfigurationException(
            String subject, String problem, String fix, String page, List<InvalidConfigurationException> refusals) {
        super("%s\nFix: %s".formatted(problem, fix));
        this.subject = subject;
        this.problem = problem;
        this.fix = fix;
        this.page = page;
        this.refusals = List.copyOf(refusals);
    }

    /**
     * One exception for several. What is wrong with several methods of one type for the same reasons is said once.
     *
     * @param refusals at least one
     * @return it alone, or one that has all of them
     */
    public static InvalidConfigurationException all(Collection<InvalidConfigurationException> refusals) {
        Map<List<String>, Map<String, InvalidConfigurationException>> alike = new LinkedHashMap<>();
        refusals.stream()
                .flatMap(each -> each.refusals().stream())
                .forEach(each -> alike.computeIfAbsent(each.kind(), added -> new TreeMap<>())
                        .putIfAbsent(each.subject, each));
        List<InvalidConfigurationException> distinct = alike.values().stream()
                .map(InvalidConfigurationException::ofAlike)
                .sorted(Comparator.comparing(
                                (InvalidConfigurationException each) -> PAGES_OF_ANNOTATIONS.contains(each.page))
                        .thenComparing(InvalidConfigurationException::problem))
                .toList();
        InvalidConfigurationException first = distinct.get(0);
        if (distinct.size() == 1) {
            return first;
        }
        InvalidConfigurationException all = new InvalidConfigurationException(
                distinct.stream().map(InvalidConfigurationException::subject).collect(Collectors.joining(", ")),
                "%d refusals:\n\n%s"
                        .formatted(
                                distinct.size(),
                                distinct.stream().map(Throwable::getMessage).collect(Collectors.joining("\n\n"))),
                "Change each as its text says.",
                distinct.stream().allMatch(each -> each.page.equals(first.page)) ? first.page : "start",
                distinct);
        all.initCause(first);
        return all;
    }

    /** What all have in common that differ in the name of a method alone. */
    private List<String> kind() {
        String type = subject.substring(0, subject.lastIndexOf('.') + 1);
        return List.of(type.isEmpty() ? subject : type, problem.replace(subject, type), fix, page);
    }

    private static InvalidConfigurationException ofAlike(Map<String, InvalidConfigurationException> bySubject) {
        InvalidConfigurationException first = bySubject.values().iterator().next();
        if (bySubject.size() == 1) {
            return first;
        }
        String subjects = String.join(", ", bySubject.keySet());
        InvalidConfigurationException one = new InvalidConfigurationException(
                subjects, first.problem.replace(first.subject, subjects), first.fix, first.page);
        one.initCause(first);
        return one;
    }

    /** {@return what it is about, such as a method with its class, a table, or the prefix of properties} */
    public String subject() {
        return subject;
    }

    /** {@return what is wrong} */
    public String problem() {
        return problem;
    }

    /** {@return what to do about it, with the CQL to run where that helps} */
    public String fix() {
        return fix;
    }

    /** {@return the page of the documentation that explains it, as in {@code unique}} */
    public String page() {
        return page;
    }

    /** {@return each refusal, first those of what many rely on; itself if there is no other} */
    public List<InvalidConfigurationException> refusals() {
        return refusals.isEmpty() ? List.of(this) : refusals;
    }
}
