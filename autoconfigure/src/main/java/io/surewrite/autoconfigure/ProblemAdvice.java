package io.surewrite.autoconfigure;

import io.surewrite.lease.LeaseException;
import io.surewrite.lease.LeaseNotAcquiredException;
import io.surewrite.lease.LeaseUnavailableException;
import io.surewrite.retry.WriteCircuitOpenException;
import io.surewrite.unique.ClaimPendingException;
import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UnclaimableValueException;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.UnknownOutcomeException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
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
 * Turns Surewrite's failures into problem details, for controllers that answer with a body; the last advice, so that the
 * application's own counts. No message of an exception gets out: it may show a value, and the name of a lease often is one.
 */
abstract class ProblemAdvice {

    private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

    /** In seconds: another request is about to finish. */
    private static final long SOON = 1;

    /** In seconds: the cluster, or a clock, has to recover. */
    private static final long LATER = 5;

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
        ResponseEntity<ProblemDetail> answer = answersWithABody(handler) ? answer(failure) : null;
        if (answer == null) {
            throw thrown; // goes on as if there were no advice
        }
        boolean callersMeet = failure instanceof DuplicateValueException
                || failure instanceof ClaimPendingException
                || failure instanceof LeaseNotAcquiredException;
        if (!callersMeet) {
            log.warn("{}: {}", handler.getShortLogMessage(), failure.getMessage());
        }
        return answer;
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

    private static @Nullable ResponseEntity<ProblemDetail> answer(Throwable failure) {
        if (failure instanceof DuplicateValueException duplicate) {
            String detail = duplicate.violations().stream()
                    .map(violation -> "The value of %s is taken.".formatted(String.join(", ", violation.properties())))
                    .collect(Collectors.joining(" "));
            List<String> properties = duplicate.violations().stream()
                    .flatMap(violation -> violation.properties().stream())
                    .distinct()
                    .toList();
            return refused(HttpStatus.CONFLICT, "duplicate-value", detail, properties);
        }
        if (failure instanceof UnclaimableValueException unclaimable) {
            return refused(
                    HttpStatus.UNPROCESSABLE_CONTENT,
                    "unclaimable-value",
                    "The value of %s cannot be made unique: it is missing, too long, or not a text."
                            .formatted(String.join(", ", unclaimable.properties())),
                    unclaimable.properties());
        }
        if (failure instanceof UnknownOutcomeException) {
            return later(
                    "outcome-unknown",
                    "unknown",
                    "The database did not confirm a write: it may be in effect, now or later. Send the same request again,"
                            + " with the same ids. That finds the write or does it, and so settles it. Do not undo it.",
                    LATER);
        }
        if (failure instanceof ClaimPendingException) {
            return later(
                    "value-pending",
                    "not-done",
                    "Another request is about to take the same value. Send the request again to learn whether it did.",
                    SOON);
        }
        if (failure instanceof LeaseNotAcquiredException) {
            return later(
                    "lease-held",
                    "not-done",
                    "Another request or process is at work on this. Send the request again.",
                    SOON);
        }
        if (failure instanceof WriteCircuitOpenException) {
            return later(
                    "circuit-open",
                    "not-done",
                    "The database could not be reached lately. Send the request again.",
                    LATER);
        }
        return failure instanceof ClaimsUnavailableException
                        || failure instanceof LeaseUnavailableException
                        || failure instanceof ClockOffsetException
                ? later("unavailable", "not-done", "The database gave no clear answer. Send the request again.", LATER)
                : null;
    }

    private static ResponseEntity<ProblemDetail> refused(
            HttpStatus status, String reason, String detail, List<String> properties) {
        ProblemDetail body = problem(status, reason, "not-done", detail);
        body.setProperty("properties", properties);
        return ResponseEntity.of(body).build();
    }

    private static ResponseEntity<ProblemDetail> later(String reason, String outcome, String detail, long seconds) {
        return ResponseEntity.of(problem(HttpStatus.SERVICE_UNAVAILABLE, reason, outcome, detail))
                .header(HttpHeaders.RETRY_AFTER, Long.toString(seconds))
                .build();
    }

    private static ProblemDetail problem(HttpStatus status, String reason, String outcome, String detail) {
        ProblemDetail body = ProblemDetail.forStatusAndDetail(status, detail);
        body.setProperty("reason", reason);
        body.setProperty("outcome", outcome);
        return body;
    }
}
