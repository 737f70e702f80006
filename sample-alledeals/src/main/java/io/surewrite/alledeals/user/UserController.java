package io.surewrite.alledeals.user;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Users over REST. */
@RestController
@RequestMapping("/api/users")
@Tag(name = "Users")
class UserController {

    private final UserService users;

    UserController(UserService users) {
        this.users = users;
    }

    @PutMapping("/{id}")
    @Operation(summary = "Register a user under an id of your making; safe to repeat")
    @ApiResponse(responseCode = "201", description = "Registered")
    @ApiResponse(responseCode = "200", description = "Was registered already; the details are now as given")
    @ApiResponse(responseCode = "409", description = "Somebody else has the login or the email")
    ResponseEntity<User> put(@PathVariable UUID id, @Valid @RequestBody UserDetails details) {
        User user = details.of(id);
        return users.register(user)
                ? ResponseEntity.created(URI.create("/api/users/" + id)).body(user)
                : ResponseEntity.ok(user);
    }

    @GetMapping("/{id}")
    @Operation(summary = "Show a user")
    User get(@PathVariable UUID id) {
        return users.get(id);
    }

    @GetMapping
    @Operation(summary = "Find the user who has a login, in any case")
    User find(@RequestParam @Pattern(regexp = UserDetails.LOGIN, message = UserDetails.LOGIN_RULE) String login) {
        return users.getByLogin(login);
    }

    @PutMapping("/{id}/profile")
    @Operation(summary = "Replace a user's profile whole: what is absent is cleared; safe to repeat")
    User replaceProfile(@PathVariable UUID id, @Valid @RequestBody ProfileDetails profile) {
        return users.replaceProfile(id, profile);
    }

    @GetMapping("/{id}/journal")
    @Operation(summary = "What each attribute of a user ever was, the newest first")
    Map<String, List<UserJournal.Entry>> journal(
            @PathVariable UUID id, @RequestParam(defaultValue = "24") @Min(1) @Max(100) int size) {
        return users.journal(id, size);
    }

    @DeleteMapping("/{id}")
    @Operation(summary = "Remove a user and forget the journal; safe to repeat. Items and purchases stay, under the id")
    @ApiResponse(responseCode = "204", description = "There is no such user now")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable UUID id) {
        users.remove(id);
    }
}
