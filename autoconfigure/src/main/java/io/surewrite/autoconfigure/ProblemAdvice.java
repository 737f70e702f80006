package io.surewrite.autoconfigure;

import io.surewrite.lease.LeaseException;
import io.surewrite.lease.LeaseNotAcquiredException;
import io.surewrite.lease.LeaseUnavailableException;
import io.surewrite.retry.WriteCircuitOpenException;
import io.surewrite.unique.ClaimPendingException;
import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.DuplicateValueException.Violation;
import io.surewrite.unique.UnclaimableValueException;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.UnknownOutcomeException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;
import org.springframework.core.retry.RetryException;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.server.ServerWebExchange;

/**
 * Turns Surewrite's failures into problem details, for controllers that answer with a body. It is the last advice, so that
 * whatever the application says of such a failure counts. No message of an exception gets out: it may show a value, and the
 * name of a lease often is one.
 */
abstract class ProblemAdvice {

    private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

    /** In seconds: the same request fails again. */
    private static final int NEVER = 0;

    /** In seconds: another request is about to finish. */
    private static final int SOON = 1;

    /** In seconds: the cluster, or a clock, has to recover. */
    private static final int LATER = 5;

    private ProblemAdvice() {}

    /** With Spring MVC. Spring also looks for the causes of what was thrown. */
    @ControllerAdvice
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @Order(Ordered.LOWEST_PRECEDENCE)
    static final class OfServlets extends ProblemAdvice {

        @ExceptionHandler({DataAccessException.class, LeaseException.class})
        ResponseEntity<ProblemDetail> answer(Throwable thrown, HandlerMethod handler) throws Throwable {
            return answer(handler, thrown);
        }
    }

    /** With WebFlux, which does not pass the handler on of what fails while its result is written. */
    @ControllerAdvice
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @Order(Ordered.LOWEST_PRECEDENCE)
    static final class OfExchanges extends ProblemAdvice {

        /** The constant of WebFlux's HandlerMapping. */
        private static final String HANDLER = "org.springframework.web.reactive.HandlerMapping.bestMatchingHandler";

        @ExceptionHandler({DataAccessException.class, LeaseException.class})
        ResponseEntity<ProblemDetail> answer(Throwable thrown, ServerWebExchange exchange) throws Throwable {
            if (exchange.getAttribute(HANDLER) instanceof HandlerMethod handler) {
                return answer(handler, thrown);
            }
            throw thrown;
        }
    }

    static ResponseEntity<ProblemDetail> answer(HandlerMethod handler, Throwable thrown) throws Throwable {
        Throwable failure = unwrapped(thrown);
        Problem problem = Problem.of(failure);
        if (problem == null || !answersWithABody(handler)) {
            throw thrown; // goes on as if there were no advice
        }
        if (problem.isUnexpected()) {
            log.warn("{}: {}", handler.getShortLogMessage(), failure.getMessage());
        }
        return problem.response();
    }

    /**
     * What a thread, a proxy or a retry that was given up has put around a failure. An exception of the application's own with
     * such a cause is left alone: it says more than its cause.
     */
    private static Throwable unwrapped(Throwable thrown) {
        Throwable failure = thrown;
        while (isWrapper(failure) && failure.getCause() != null) {
            failure = failure.getCause();
        }
        return failure;
    }

    private static boolean isWrapper(Throwable failure) {
        return failure instanceof CompletionException
                || failure instanceof ExecutionException
                || failure instanceof UndeclaredThrowableException
                || failure instanceof RetryException
                // Reactor may be absent, and hides its classes.
                || failure.getClass().getName().startsWith("reactor.core.Exceptions$");
    }

    private static boolean answersWithABody(HandlerMethod handler) {
        ResolvableType returned = ResolvableType.forMethodReturnType(handler.getMethod());
        return AnnotatedElementUtils.hasAnnotation(handler.getBeanType(), ResponseBody.class)
                || handler.hasMethodAnnotation(ResponseBody.class)
                || HttpEntity.class.isAssignableFrom(returned.toClass())
                || HttpEntity.class.isAssignableFrom(returned.getGeneric(0).toClass());
    }

    /**
     * What is said of a failure.
     *
     * @param reason for programs
     * @param done whether the operation that failed may be in effect: {@code not-done} or {@code unknown}
     * @param detail for people
     * @param retryAfter in seconds
     * @param properties whose values are taken
     */
    private record Problem(
            HttpStatus status, String reason, String done, String detail, int retryAfter, List<String> properties) {

        private static final Set<String> CALLERS_MEET = Set.of("duplicate-value", "value-pending", "lease-held");

        static @Nullable Problem of(Throwable failure) {
            if (failure instanceof DuplicateValueException duplicate) {
                return taken(duplicate.violations());
            }
            if (failure instanceof UnclaimableValueException unclaimable) {
                return new Problem(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        "unclaimable-value",
                        "not-done",
                        "The value of %s cannot be made unique: it is missing, too long, or not a text."
                                .formatted(String.join(", ", unclaimable.properties())),
                        NEVER,
                        unclaimable.properties());
            }
            if (failure instanceof UnknownOutcomeException) {
                return new Problem(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "outcome-unknown",
                        "unknown",
                        "The database did not confirm a write: it may be in effect, now or later. Send the same request again,"
                                + " with the same ids. That finds the write or does it, and so settles it. Do not undo it.",
                        LATER,
                        List.of());
            }
            if (failure instanceof ClaimPendingException) {
                return notDone(
                        "value-pending",
                        "Another request is about to take the same value. Send the request again to learn whether it did.",
                        SOON);
            }
            if (failure instanceof LeaseNotAcquiredException) {
                return notDone(
                        "lease-held", "Another request or process is at work on this. Send the request again.", SOON);
            }
            if (failure instanceof WriteCircuitOpenException open) {
                return notDone(
                        "circuit-open",
                        "The database could not be reached lately. Send the request again.",
                        open.remainsOpen().isZero() ? LATER : roundedUp(open.remainsOpen()));
            }
            return failure instanceof ClaimsUnavailableException
                            || failure instanceof LeaseUnavailableException
                            || failure instanceof ClockOffsetException
                    ? notDone("unavailable", "The database gave no clear answer. Send the request again.", LATER)
                    : null;
        }

        private static int roundedUp(Duration wait) {
            return Math.toIntExact(wait.plusSeconds(1).minusNanos(1).toSeconds());
        }

        private static Problem notDone(String reason, String detail, int retryAfter) {
            return new Problem(HttpStatus.SERVICE_UNAVAILABLE, reason, "not-done", detail, retryAfter, List.of());
        }

        private static Problem taken(List<Violation> violations) {
            String detail = violations.stream()
                    .map(violation -> "The value of %s is taken.".formatted(String.join(", ", violation.properties())))
                    .collect(Collectors.joining(" "));
            List<String> properties = violations.stream()
                    .flatMap(violation -> violation.properties().stream())
                    .distinct()
                    .toList();
            return new Problem(HttpStatus.CONFLICT, "duplicate-value", "not-done", detail, NEVER, properties);
        }

        /** {@return whether it is more than callers who meet each other} */
        boolean isUnexpected() {
            return !CALLERS_MEET.contains(reason);
        }

        ResponseEntity<ProblemDetail> response() {
            ProblemDetail body = ProblemDetail.forStatusAndDetail(status, detail);
            body.setProperty("reason", reason);
            body.setProperty("outcome", done);
            if (!properties.isEmpty()) {
                body.setProperty("properties", properties);
            }
            ResponseEntity.BodyBuilder response = ResponseEntity.status(status);
            if (retryAfter != NEVER) {
                response.header(HttpHeaders.RETRY_AFTER, Integer.toString(retryAfter));
            }
            return response.body(body);
        }
    }
}
