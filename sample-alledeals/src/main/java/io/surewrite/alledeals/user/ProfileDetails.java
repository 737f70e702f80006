package io.surewrite.alledeals.user;

import io.surewrite.alledeals.web.Line;
import io.surewrite.alledeals.web.Prose;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/** What a user tells others, whole: what is absent is cleared. */
record ProfileDetails(
        @Size(max = 80) @Line @Nullable String fullName,
        @Size(max = 60) @Line @Nullable String city,
        @Size(max = 500) @Prose @Nullable String about) {

    User of(User user) {
        return new User(user.id(), user.login(), user.email(), user.age(), fullName, city, about);
    }
}
