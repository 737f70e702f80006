package io.surewrite.alledeals.item;

import io.surewrite.alledeals.item.ItemService.Shelf;
import io.surewrite.alledeals.user.UserService;
import io.surewrite.alledeals.user.UserView;
import io.surewrite.retry.TimeUuids;
import java.time.Clock;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages that show items. */
@Controller
class ItemPages {

    private static final int SHELF = 12;

    private final ItemService items;
    private final UserService users;
    private final Clock clock;

    ItemPages(ItemService items, UserService users, Clock clock) {
        this.items = items;
        this.users = users;
        this.clock = clock;
    }

    @GetMapping("/")
    String browse(@RequestParam(required = false) @Nullable UUID after, Model model) {
        fillShelf(after, model);
        return "browse";
    }

    /** The next items alone, to be added to the page that is open already. */
    @GetMapping(path = "/", headers = "HX-Request")
    String more(@RequestParam(required = false) @Nullable UUID after, Model model) {
        fillShelf(after, model);
        return "cards :: shelf";
    }

    @GetMapping("/items/{id}")
    String item(@PathVariable UUID id, Model model) {
        Item item = items.get(id);
        model.addAttribute("item", ItemView.of(item, clock.instant()));
        model.addAttribute(
                "seller", users.find(item.sellerId()).map(UserView::of).orElse(null));
        model.addAttribute("purchaseId", TimeUuids.next());
        return "item";
    }

    /** What is left, for a page that is open already. */
    @GetMapping("/items/{id}/stock")
    String stock(@PathVariable UUID id, Model model) {
        model.addAttribute("item", ItemView.of(items.get(id), clock.instant()));
        return "item :: live";
    }

    private void fillShelf(@Nullable UUID after, Model model) {
        Shelf shelf = items.shelf(after, SHELF);
        model.addAttribute("items", CardView.of(shelf.items(), clock.instant()));
        model.addAttribute("more", shelf.next() == null ? null : "/?after=" + shelf.next());
        model.addAttribute("isFirst", after == null);
    }
}
