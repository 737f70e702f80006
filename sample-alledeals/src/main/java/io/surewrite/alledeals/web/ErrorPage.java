package io.surewrite.alledeals.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.springframework.boot.webmvc.error.ErrorAttributes;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.context.request.ServletWebRequest;

/** The last stop of a failed request: a friendly page, or a problem body below {@code /api}. */
@Controller
class ErrorPage implements ErrorController {

    private final ErrorAttributes errors;

    ErrorPage(ErrorAttributes errors) {
        this.errors = errors;
    }

    @RequestMapping("/error")
    Object error(HttpServletRequest request, HttpServletResponse response, Model model) {
        ProblemDetail problem = problem(request);
        if (failedPath(request).startsWith("/api/")) {
            return ResponseEntity.status(problem.getStatus())
                    .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                    .body(problem);
        }
        // Whoever opens this address without an error before it finds no page here.
        response.setStatus(problem.getStatus());
        model.addAttribute("problem", problem);
        return "error";
    }

    private ProblemDetail problem(HttpServletRequest request) {
        Throwable error = errors.getError(new ServletWebRequest(request));
        if (error instanceof ProblemException refusal) {
            return refusal.getBody();
        }
        HttpStatus status = status(request);
        return status == HttpStatus.SERVICE_UNAVAILABLE
                ? DatabaseTrouble.problem(request.getMethod())
                : ProblemDetail.forStatus(status);
    }

    private static HttpStatus status(HttpServletRequest request) {
        return Optional.ofNullable(request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE))
                .map(code -> HttpStatus.resolve((Integer) code))
                .orElse(HttpStatus.NOT_FOUND);
    }

    private static String failedPath(HttpServletRequest request) {
        return String.valueOf(request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI));
    }
}
