package io.surewrite.alledeals.web;

import io.surewrite.write.UnknownOutcomeException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** Sends what goes wrong on a page to {@link ErrorPage}, with the status that fits. {@link ApiErrors} comes first. */
@ControllerAdvice
class PageErrors {

    private static final Logger log = LoggerFactory.getLogger(PageErrors.class);

    @ExceptionHandler({
        DataAccessResourceFailureException.class,
        TransientDataAccessException.class,
        UncategorizedDataAccessException.class,
        UnknownOutcomeException.class
    })
    void databaseTrouble(RuntimeException trouble, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        log.warn("{} {}: {}", request.getMethod(), request.getRequestURI(), trouble.getMessage());
        response.setHeader(HttpHeaders.RETRY_AFTER, DatabaseTrouble.RETRY_AFTER_SECONDS);
        response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    }

    @ExceptionHandler(ProblemException.class)
    void refused(ProblemException refusal, HttpServletResponse response) throws IOException {
        response.sendError(refusal.getStatusCode().value());
    }

    /** An address with a malformed id leads nowhere. */
    @ExceptionHandler(MethodArgumentTypeMismatchException.class)
    void noSuchPage(HttpServletResponse response) throws IOException {
        response.sendError(HttpServletResponse.SC_NOT_FOUND);
    }
}
