package io.surewrite.alledeals.user;

import io.surewrite.alledeals.web.Line;
import io.surewrite.alledeals.web.Prose;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a user gives when registering, over REST or in the form. */
record UserDetails(
        @NotNull @Pattern(regexp = LOGIN, message = LOGIN_RULE)
        String login,

        @NotNull @Size(max = 254) @Email(regexp = "[^\\p{Cc}\\p{Cs}]*", message = "must be an email address")
        String email,

        @NotNull @Min(13) @Max(130) Integer age,
        @Size(max = 80) @Line @Nullable String fullName,
        @Size(max = 60) @Line @Nullable String city,
        @Size(max = 500) @Prose @Nullable String about) {

    static final String LOGIN = "[A-Za-z0-9][A-Za-z0-9._-]{2,29}";
    static final String LOGIN_RULE =
            "must be 3 to 30 letters, digits, dots, hyphens or underscores, the first a letter or digit";

    User of(UUID id) {
        return new User(id, login, email, age, fullName, city, about);
    }
}
