package io.surewrite.alledeals.user;

import io.surewrite.alledeals.web.Storeroom;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.ResponseCookie;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.ModelAttribute;

/**
 * Who is shopping, for every page, as {@code shopper} in its model. A cookie names the user; it proves nothing: the
 * sample has no passwords. Other sites' forms do not carry it.
 */
@ControllerAdvice
class Shopper {

    static final String COOKIE = "shopper";

    private static final Logger log = LoggerFactory.getLogger(Shopper.class);

    private static final Duration REMEMBERED = Duration.ofDays(30);

    private final UserService users;
    private final Storeroom storeroom;
    private final SeenUsers seen;

    Shopper(UserService users, SeenUsers seen, Storeroom storeroom) {
        this.users = users;
        this.seen = seen;
        this.storeroom = storeroom;
    }

    @ModelAttribute("shopper")
    @Nullable
    UserView shopper(@CookieValue(name = COOKIE, required = false) @Nullable String cookie) {
        try {
            return cookie == null ? null : shopper(UUID.fromString(cookie));
        } catch (IllegalArgumentException forged) {
            return null;
        } catch (DataAccessException trouble) {
            // The page that follows, or its error page, tells; a header without a name must not stop it.
            log.debug("Cannot tell who is shopping", trouble);
            return null;
        }
    }

    /** Whoever was here before goes on shopping while the database is away. */
    private @Nullable UserView shopper(UUID id) {
        return storeroom.ask(
                () -> {
                    UserView user = users.find(id).map(UserView::of).orElse(null);
                    if (user == null) {
                        seen.remove(id);
                    } else {
                        seen.add(user);
                    }
                    return user;
                },
                () -> seen.shopper(id));
    }

    static String cookieFor(UUID userId) {
        return cookie(userId.toString(), REMEMBERED);
    }

    static String noCookie() {
        return cookie("", Duration.ZERO);
    }

    private static String cookie(String value, Duration age) {
        return ResponseCookie.from(COOKIE, value)
                .path("/")
                .httpOnly(true)
                .sameSite("Lax")
                .maxAge(age)
                .build()
                .toString();
    }
}
