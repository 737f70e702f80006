package io.surewrite.alledeals.web;

import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.DuplicateValueException.Violation;
import io.surewrite.write.UnknownOutcomeException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.FieldError;
import org.springframework.validation.method.ParameterErrors;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Answers every refusal of the REST interface with a problem body that says what is wrong and where. */
@RestControllerAdvice(annotations = RestController.class)
@Order(Ordered.HIGHEST_PRECEDENCE)
class ApiErrors extends ResponseEntityExceptionHandler {

    @ExceptionHandler({
        DataAccessResourceFailureException.class,
        TransientDataAccessException.class,
        UncategorizedDataAccessException.class,
        UnknownOutcomeException.class
    })
    ResponseEntity<ProblemDetail> databaseTrouble(RuntimeException trouble, HttpServletRequest request) {
        logger.warn("%s %s: %s".formatted(request.getMethod(), request.getRequestURI(), trouble.getMessage()));
        ProblemDetail problem = DatabaseTrouble.problem(request.getMethod());
        return ResponseEntity.status(problem.getStatus())
                .header(HttpHeaders.RETRY_AFTER, DatabaseTrouble.RETRY_AFTER_SECONDS)
                .body(problem);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> duplicate(DuplicateValueException duplicate) {
        List<FieldProblem> taken = duplicate.violations().stream()
                .flatMap(violation -> violation.properties().stream())
                .map(property -> new FieldProblem(property, "is taken"))
                .toList();
        ProblemDetail problem = ProblemType.DUPLICATE_VALUE.with(sentences(taken));
        problem.setProperty(
                "constraints",
                duplicate.violations().stream().map(Violation::constraint).toList());
        problem.setProperty("errors", taken);
        return ResponseEntity.status(problem.getStatus()).body(problem);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return answer(
                invalid, fields(invalid.getBindingResult().getFieldErrors()), ProblemType.INVALID_REQUEST, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        List<FieldProblem> problems = invalid.getParameterValidationResults().stream()
                .flatMap(result -> fields(result).stream())
                .toList();
        return answer(invalid, problems, ProblemType.INVALID_REQUEST, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException mismatch, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String name = mismatch instanceof MethodArgumentTypeMismatchException argument ? argument.getName() : "value";
        FieldProblem problem = new FieldProblem(name, "must be " + JsonMistake.expected(mismatch.getRequiredType()));
        return answer(mismatch, List.of(problem), ProblemType.MALFORMED_REQUEST, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        JsonMistake mistake = JsonMistake.in(unreadable);
        if (mistake.field() != null) {
            return answer(unreadable, List.of(mistake.field()), ProblemType.INVALID_REQUEST, request);
        }
        ProblemDetail body = ProblemType.MALFORMED_REQUEST.with(mistake.detail());
        return handleExceptionInternal(unreadable, body, headers, status, request);
    }

    private @Nullable ResponseEntity<Object> answer(
            Exception cause, List<FieldProblem> problems, ProblemType type, WebRequest request) {
        ProblemDetail body = type.with(sentences(problems));
        body.setProperty("errors", problems);
        return handleExceptionInternal(cause, body, new HttpHeaders(), type.status(), request);
    }

    private static String sentences(List<FieldProblem> problems) {
        return problems.stream()
                .map(problem -> "%s %s.".formatted(problem.field(), problem.message()))
                .collect(Collectors.joining(" "));
    }

    private static List<FieldProblem> fields(ParameterValidationResult result) {
        if (result instanceof ParameterErrors errors) {
            return fields(errors.getFieldErrors());
        }
        String name = String.valueOf(result.getMethodParameter().getParameterName());
        return result.getResolvableErrors().stream()
                .map(error -> new FieldProblem(name, message(error)))
                .toList();
    }

    private static List<FieldProblem> fields(List<FieldError> errors) {
        return errors.stream()
                .map(error -> new FieldProblem(error.getField(), message(error)))
                .sorted((one, other) -> one.field().compareTo(other.field()))
                .toList();
    }

    private static String message(MessageSourceResolvable error) {
        return String.valueOf(error.getDefaultMessage());
    }
}
