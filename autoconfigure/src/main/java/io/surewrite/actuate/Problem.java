package io.surewrite.actuate;

import io.surewrite.cql.observe.Observed;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.util.MimeType;

/**
 * Why an endpoint does nothing, as RFC 9457 has it.
 *
 * @param title what is wrong
 * @param status the status of the answer
 * @param detail how it would be right
 */
record Problem(String title, int status, String detail) {

    private static final MimeType PROBLEM_JSON = MimeType.valueOf("application/problem+json");

    /** The action of a name, in whichever case. */
    static <A extends Enum<A>> Optional<A> action(Class<A> actions, @Nullable String name) {
        return Stream.of(actions.getEnumConstants())
                .filter(action -> action.name().equalsIgnoreCase(name))
                .findFirst();
    }

    static WebEndpointResponse<Problem> noSuchAction(Class<? extends Enum<?>> actions, @Nullable String name) {
        String known =
                Stream.of(actions.getEnumConstants()).map(Observed::lowerCase).collect(Collectors.joining(", "));
        return answer(
                "Unknown action",
                WebEndpointResponse.STATUS_BAD_REQUEST,
                "%s. Fix: send one of: %s"
                        .formatted(name == null ? "There is no 'action'" : "There is no action '" + name + "'", known));
    }

    static WebEndpointResponse<Problem> notFound(String kind, String name, List<String> known) {
        return answer(
                "Unknown " + kind,
                WebEndpointResponse.STATUS_NOT_FOUND,
                "There is no %s '%s'. There are: %s"
                        .formatted(kind, name, known.isEmpty() ? "none" : String.join(", ", known)));
    }

    private static WebEndpointResponse<Problem> answer(String title, int status, String detail) {
        return new WebEndpointResponse<>(new Problem(title, status, detail), status, PROBLEM_JSON);
    }
}
