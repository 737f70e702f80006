package io.surewrite.alledeals.item;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.item.ItemService.Shelf;
import io.surewrite.alledeals.user.UserService;
import io.surewrite.alledeals.user.UserView;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages that show items. */
@Controller
class ItemPages {

    private static final int SHELF = 12;

    private static final DateTimeFormatter LISTED_ON =
            DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.UK).withZone(ZoneOffset.UTC);

    /** The tag of the Lab's items, of which there may be many: they are on a shelf of their own. */
    private static final String LAB = "lab";

    /** Behind a shelf that the Lab's items cut short, so many are read at a time, and so often at most. */
    private static final int MANY = 500;

    private static final int MOST_READS = 10;

    private final ItemService items;
    private final UserService users;
    private final Clock clock;

    ItemPages(ItemService items, UserService users, Clock clock) {
        this.items = items;
        this.users = users;
        this.clock = clock;
    }

    /** To a page that is open already it gives the next items alone. */
    @GetMapping("/")
    String browse(
            @RequestParam(required = false) @Nullable UUID after,
            @RequestHeader(name = "HX-Request", required = false) @Nullable String open,
            Model model) {
        fillShelf(after, model);
        return open == null ? "browse" : "cards :: shelf";
    }

    @GetMapping("/items/{id}")
    String item(@PathVariable UUID id, Model model) {
        Item item = items.get(id);
        fill(item, model);
        model.addAttribute("listedOn", LISTED_ON.format(item.startDate()));
        model.addAttribute(
                "seller", users.find(item.sellerId()).map(UserView::of).orElse(null));
        model.addAttribute("purchaseId", Uuids.timeBased());
        return "item";
    }

    /** What is left, for a page that is open already. */
    @GetMapping("/items/{id}/stock")
    String stock(@PathVariable UUID id, Model model) {
        fill(items.get(id), model);
        return "item :: live";
    }

    private void fill(Item item, Model model) {
        model.addAttribute("item", item);
        model.addAttribute("card", new CardView(item, clock.instant()));
    }

    private void fillShelf(@Nullable UUID after, Model model) {
        List<Item> shown = new ArrayList<>();
        UUID next = after;
        int reads = 0;
        do {
            Shelf shelf = items.shelf(next, reads == 0 ? SHELF + 1 : MANY);
            shelf.items().stream().filter(item -> !item.tags().contains(LAB)).forEach(shown::add);
            next = shelf.next();
        } while (next != null && shown.size() <= SHELF && ++reads < MOST_READS);
        if (shown.size() > SHELF) {
            shown = shown.subList(0, SHELF);
            next = shown.get(SHELF - 1).id();
        }
        model.addAttribute("items", CardView.of(shown, clock.instant()));
        model.addAttribute("more", next == null ? null : "/?after=" + next);
        model.addAttribute("isFirst", after == null);
    }
}
