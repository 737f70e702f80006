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
    private static final String SOON = "1";

    /** In seconds: the cluster, or a clock, has to recover. */
    private static final String LATER = "5";

    private static final String UNKNOWN = "outcome-unknown";
    private static final String PROPERTIES = "properties";

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
        ProblemDetail problem = answersWithABody(handler) ? problem(failure) : null;
        if (problem == null) {
            throw thrown; // goes on as if there were no advice
        }
        boolean callersMeet = failure instanceof DuplicateValueException
                || failure instanceof ClaimPendingException
                || failure instanceof LeaseNotAcquiredException;
        if (!callersMeet) {
            log.warn("{}: {}", handler.getShortLogMessage(), failure.getMessage());
        }
        ResponseEntity.HeadersBuilder<?> answer = ResponseEntity.of(problem);
        if (problem.getStatus() == HttpStatus.SERVICE_UNAVAILABLE.value()) {
            answer.header(HttpHeaders.RETRY_AFTER, callersMeet ? SOON : LATER);
        }
        return answer.build();
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

    private static @Nullable ProblemDetail problem(Throwable failure) {
        if (failure instanceof DuplicateValueException duplicate) {
            String detail = duplicate.violations().stream()
                    .map(violation -> "The value of %s is taken.".formatted(String.join(", ", violation.properties())))
                    .collect(Collectors.joining(" "));
            ProblemDetail taken = problem(HttpStatus.CONFLICT, "duplicate-value", detail);
            taken.setProperty(
                    PROPERTIES,
                    duplicate.violations().stream()
                            .flatMap(violation -> violation.properties().stream())
                            .distinct()
                            .toList());
            return taken;
        }
        if (failure instanceof UnclaimableValueException unclaimable) {
            ProblemDetail unfit = problem(
                    HttpStatus.UNPROCESSABLE_CONTENT,
                    "unclaimable-value",
                    "The value of %s cannot be made unique: it is missing, too long, or not a text."
                            .formatted(String.join(", ", unclaimable.properties())));
            unfit.setProperty(PROPERTIES, unclaimable.properties());
            return unfit;
        }
        if (failure instanceof UnknownOutcomeException) {
            return later(
                    UNKNOWN,
                    "The database did not confirm a write: it may be in effect, now or later. Send the same request again,"
                            + " with the same ids. That finds the write or does it, and so settles it. Do not undo it.");
        }
        if (failure instanceof ClaimPendingException) {
            return later(
                    "value-pending",
                    "Another request is about to take the same value. Send the request again to learn whether it did.");
        }
        if (failure instanceof LeaseNotAcquiredException) {
            return later("lease-held", "Another request or process is at work on this. Send the request again.");
        }
        if (failure instanceof WriteCircuitOpenException) {
            return later("circuit-open", "The database could not be reached lately. Send the request again.");
        }
        return failure instanceof ClaimsUnavailableException
                        || failure instanceof LeaseUnavailableException
                        || failure instanceof ClockOffsetException
                ? later("unavailable", "The database gave no clear answer. Send the request again.")
                : null;
    }

    private static ProblemDetail later(String reason, String detail) {
        return problem(HttpStatus.SERVICE_UNAVAILABLE, reason, detail);
    }

    private static ProblemDetail problem(HttpStatus status, String reason, String detail) {
        ProblemDetail body = ProblemDetail.forStatusAndDetail(status, detail);
        body.setProperty("reason", reason);
        body.setProperty("outcome", reason.equals(UNKNOWN) ? "unknown" : "not-done");
        return body;
    }
}
