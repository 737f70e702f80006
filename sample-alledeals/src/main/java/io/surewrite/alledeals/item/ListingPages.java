package io.surewrite.alledeals.item;

import io.surewrite.alledeals.user.UserService;
import io.surewrite.alledeals.user.UserView;
import io.surewrite.alledeals.web.Cursor.Page;
import java.time.Clock;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;

/** The pages of the listings: by tag, by user, by user and month. To a page that is open they give the cards alone. */
@Controller
class ListingPages {

    private static final int SHELF = 12;

    private final ListingService listings;
    private final UserService users;
    private final Clock clock;

    ListingPages(ListingService listings, UserService users, Clock clock) {
        this.listings = listings;
        this.users = users;
        this.clock = clock;
    }

    @GetMapping("/tags/{tag}")
    String tagged(
            @PathVariable String tag,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestHeader(name = "HX-Request", required = false) @Nullable String open,
            Model model) {
        model.addAttribute("tag", tag);
        return show("tag", "/tags/{tag}", listings.tagged(tag, cursor, SHELF), model, open, tag);
    }

    @GetMapping("/users/{id}/items")
    String ofUser(
            @PathVariable UUID id,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestHeader(name = "HX-Request", required = false) @Nullable String open,
            Model model) {
        Page<UserItem> page = listings.ofUser(id, cursor, SHELF);
        model.addAttribute("user", users.find(id).map(UserView::of).orElse(null));
        model.addAttribute(
                "lastMonth",
                page.items().isEmpty()
                        ? YearMonth.now(clock.withZone(ZoneOffset.UTC))
                        : Listings.monthOf(page.items().get(0).itemId()));
        return show("user-items", "/users/{id}/items", page, model, open, id);
    }

    @GetMapping("/users/{id}/items/history/{month}")
    String history(
            @PathVariable UUID id,
            @PathVariable YearMonth month,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestHeader(name = "HX-Request", required = false) @Nullable String open,
            Model model) {
        Page<UserItemHistory> page = listings.history(id, month, cursor, SHELF);
        model.addAttribute("user", users.find(id).map(UserView::of).orElse(null));
        model.addAttribute("userId", id);
        model.addAttribute("month", month.getMonth().getDisplayName(TextStyle.FULL, Locale.UK) + " " + month.getYear());
        model.addAttribute("before", month.minusMonths(1));
        model.addAttribute("after", month.plusMonths(1));
        return show("history", "/users/{id}/items/history/{month}", page, model, open, id, month);
    }

    private String show(
            String view,
            String path,
            Page<? extends Listed> page,
            Model model,
            @Nullable String open,
            Object... variables) {
        model.addAttribute("items", CardView.of(page.items(), clock.instant()));
        model.addAttribute(
                "more",
                page.next() == null
                        ? null
                        : UriComponentsBuilder.fromPath(path)
                                .queryParam("cursor", page.next())
                                .encode()
                                .buildAndExpand(variables)
                                .toUriString());
        return open == null ? view : "cards :: shelf";
    }
}
