package io.surewrite.alledeals.user;

import io.surewrite.unique.DuplicateValueException;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages about users: register, profile, who is shopping. */
@Controller
class UserPages {

    /** So many values of each attribute are shown. */
    private static final int VALUES = 24;

    private final UserService users;
    private final ObjectProvider<SuggestedShoppers> suggestions;

    UserPages(UserService users, ObjectProvider<SuggestedShoppers> suggestions) {
        this.users = users;
        this.suggestions = suggestions;
    }

    @GetMapping("/users/{id}")
    String profile(@PathVariable UUID id, Model model) {
        model.addAttribute("user", UserView.of(users.get(id)));
        return "user";
    }

    @GetMapping("/users/{id}/journal")
    String journal(
            @PathVariable UUID id,
            @ModelAttribute(name = "shopper", binding = false) @Nullable UserView shopper,
            Model model) {
        User user = users.get(id);
        if (shopper != null && shopper.id().equals(id)) {
            model.addAttribute("profile", new ProfileDetails(user.fullName(), user.city(), user.about()));
        }
        fillJournal(user, model);
        return "journal";
    }

    /** A form that was opened before someone else went shopping changes neither profile. */
    @PostMapping("/users/{id}/journal")
    String change(
            @PathVariable UUID id,
            @ModelAttribute(name = "shopper", binding = false) @Nullable UserView shopper,
            @Valid @ModelAttribute("profile") ProfileDetails profile,
            BindingResult errors,
            Model model,
            HttpServletResponse response) {
        if (shopper == null) {
            return "redirect:/shopper?next=/users/%s/journal".formatted(id);
        }
        if (!shopper.id().equals(id)) {
            errors.reject("otherShopper", "You are shopping as somebody else now. This profile stays as it is.");
        }
        if (errors.hasErrors()) {
            fillJournal(users.get(id), model);
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
            return "journal";
        }
        users.replaceProfile(id, profile);
        return "redirect:/users/" + id + "/journal";
    }

    private void fillJournal(User user, Model model) {
        model.addAttribute("user", UserView.of(user));
        model.addAttribute("journal", JournalView.of(users.journal(user.id(), VALUES)));
        model.addAttribute("most", VALUES);
    }

    @GetMapping("/register")
    String form(@ModelAttribute("details") UserDetails empty, Model model) {
        model.addAttribute("id", UUID.randomUUID());
        return "register";
    }

    /** The id was made with the form, so that sending the form twice registers once. */
    @PostMapping("/register")
    String register(
            @RequestParam UUID id,
            @RequestParam(required = false) @Nullable String next,
            @Valid @ModelAttribute("details") UserDetails details,
            BindingResult errors,
            Model model,
            HttpServletResponse response) {
        if (errors.hasErrors()) {
            model.addAttribute("id", id);
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
            return "register";
        }
        try {
            users.register(details.of(id));
        } catch (DuplicateValueException taken) {
            taken.violations().stream()
                    .flatMap(violation -> violation.properties().stream())
                    .forEach(property -> errors.rejectValue(property, "taken", "is taken by somebody else"));
            model.addAttribute("id", id);
            response.setStatus(HttpStatus.CONFLICT.value());
            return "register";
        }
        response.addHeader(HttpHeaders.SET_COOKIE, Shopper.cookieFor(id));
        return goOn(next, "/users/" + id);
    }

    @GetMapping("/shopper")
    String shoppers(Model model) {
        List<UserView> familiar = suggestions.stream()
                .flatMap(suggested -> users.find(suggested.ids()).stream())
                .map(UserView::of)
                .sorted(Comparator.comparing(UserView::name))
                .toList();
        model.addAttribute("familiar", familiar);
        return "shopper";
    }

    /** Shops as this user from now on, or as nobody if there is no id. */
    @PostMapping("/shopper")
    String shopAs(
            @RequestParam(required = false) @Nullable UUID id,
            @RequestParam(required = false) @Nullable String next,
            HttpServletResponse response) {
        String cookie = id == null
                ? Shopper.noCookie()
                : Shopper.cookieFor(users.get(id).id());
        response.addHeader(HttpHeaders.SET_COOKIE, cookie);
        return goOn(next, "/");
    }

    /** To the page of this shop where somebody was going, if there is one. */
    private static String goOn(@Nullable String next, String otherwise) {
        return "redirect:" + (next != null && next.matches("(/[a-z0-9-]+)+") ? next : otherwise);
    }
}
