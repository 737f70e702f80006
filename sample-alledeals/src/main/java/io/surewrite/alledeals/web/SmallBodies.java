package io.surewrite.alledeals.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses a body of more than 1 MB before it is read. One that does not say its length is cut off while it is read, by
 * {@code spring.jackson.factory.constraints.read.max-document-length}.
 */
@Component
class SmallBodies extends OncePerRequestFilter {

    private static final long MOST = DataSize.ofMegabytes(1).toBytes();

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getContentLengthLong() > MOST) {
            response.sendError(HttpStatus.CONTENT_TOO_LARGE.value());
        } else {
            chain.doFilter(request, response);
        }
    }
}
