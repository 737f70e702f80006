package io.surewrite.alledeals.web;

import io.surewrite.alledeals.demo.EmbeddedServer;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses a change that a page of another site asks the browser for. A browser says where a request comes from: in
 * {@code Sec-Fetch-Site}, or, if it is older, in {@code Origin}. A program sends neither and is let through: it carries no
 * cookie of a shopper. While the shop is there for this machine alone, the address has to name this machine, too: another
 * site's name may be made to lead here (DNS rebinding).
 */
@Component
class OwnPagesOnly extends OncePerRequestFilter {

    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
    private static final Set<String> OWN_PAGES = Set.of("same-origin", "none");

    private static final Pattern THIS_MACHINE =
            Pattern.compile("(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d+)?", Pattern.CASE_INSENSITIVE);

    private final boolean forThisMachineAlone;

    OwnPagesOnly(ListableBeanFactory beans, Environment environment) {
        this.forThisMachineAlone = EmbeddedServer.isForThisMachineAlone(beans, environment);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (SAFE_METHODS.contains(request.getMethod()) || comesFromHere(request)) {
            chain.doFilter(request, response);
        } else {
            response.sendError(HttpStatus.FORBIDDEN.value());
        }
    }

    private boolean comesFromHere(HttpServletRequest request) {
        String host = String.valueOf(request.getHeader(HttpHeaders.HOST));
        if (forThisMachineAlone && !THIS_MACHINE.matcher(host).matches()) {
            return false;
        }
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return OWN_PAGES.contains(site);
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        return origin == null || origin.replaceFirst("^https?://", "").equalsIgnoreCase(host);
    }
}
