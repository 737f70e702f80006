package io.surewrite.alledeals.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Holds the pages to what they claim: nothing from other hosts, no inline script or style, in no other site's frame. */
@Component
class SafeHeaders extends OncePerRequestFilter {

    private static final String POLICY =
            "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "same-origin");
        // A page and the part of it that htmx asks for have one address: no cache may give one for the other.
        response.addHeader("Vary", "HX-Request");
        response.setHeader("Content-Security-Policy", POLICY);
        chain.doFilter(request, response);
    }
}
