package io.surewrite.alledeals.purchase;

import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.user.UserView;
import io.surewrite.alledeals.web.Cursor.Page;
import io.surewrite.alledeals.web.ProblemException;
import io.surewrite.write.UnknownOutcomeException;
import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages to buy and to see what was bought. */
@Controller
class PurchasePages {

    private static final int PAGE = 20;

    private final PurchaseService purchases;
    private final ItemService items;

    PurchasePages(PurchaseService purchases, ItemService items) {
        this.purchases = purchases;
        this.items = items;
    }

    /** The purchase's id was made with the form, so that a double click buys once. */
    @PostMapping("/items/{itemId}/purchases")
    String buy(
            @PathVariable UUID itemId,
            @RequestParam UUID id,
            @RequestParam String quantity,
            @ModelAttribute(name = "shopper", binding = false) @Nullable UserView shopper,
            Model model,
            HttpServletResponse response) {
        if (shopper == null) {
            return "redirect:/shopper?next=/items/" + itemId;
        }
        model.addAttribute("item", items.get(itemId));
        try {
            purchases.purchase(id, itemId, shopper.id(), units(quantity));
            return "redirect:/purchases/" + id;
        } catch (ProblemException refusal) {
            response.setStatus(refusal.getStatusCode().value());
            model.addAttribute("refusal", refusal.getBody());
            if (!refusal.fields().isEmpty()) { // nothing is saved under this id
                model.addAttribute("id", id).addAttribute("quantity", quantity);
            }
            return "refused";
        } catch (UnknownOutcomeException unknown) {
            response.setStatus(HttpStatus.SERVICE_UNAVAILABLE.value());
            response.setHeader(HttpHeaders.RETRY_AFTER, "5");
            model.addAttribute("id", id).addAttribute("quantity", quantity);
            return "unknown";
        }
    }

    @GetMapping("/purchases/{id}")
    String purchase(@PathVariable UUID id, Model model) {
        Purchase purchase = purchases.get(id);
        model.addAttribute("purchase", PurchaseView.of(purchase, items.find(purchase.itemId())));
        return "purchase";
    }

    /** What went to the database for a purchase. */
    @GetMapping("/purchases/{id}/how")
    String how(@PathVariable UUID id, Model model) {
        Purchase purchase = purchases.get(id);
        model.addAttribute("purchase", PurchaseView.of(purchase, items.find(purchase.itemId())));
        model.addAttribute("insert", PurchaseStepsImpl.MASTER);
        model.addAttribute("take", StockRepository.TAKE);
        model.addAttribute("timestamp", PurchaseStepsImpl.firstStep(id));
        return "how";
    }

    @GetMapping("/purchases")
    String mine(
            @RequestParam(required = false) @Nullable String cursor,
            @ModelAttribute(name = "shopper", binding = false) @Nullable UserView shopper,
            Model model) {
        if (shopper == null) {
            return "redirect:/shopper?next=/purchases";
        }
        Page<UserPurchase> page = purchases.ofUser(shopper.id(), cursor, PAGE);
        model.addAttribute(
                "purchases",
                page.items().stream()
                        .map(bought -> PurchaseView.of(bought, items.find(bought.itemId())))
                        .toList());
        model.addAttribute("next", page.next());
        return "purchases";
    }

    /** No number is no quantity: the rules refuse it, in their words. */
    private static int units(String quantity) {
        try {
            return Integer.parseInt(quantity.strip());
        } catch (NumberFormatException noNumber) {
            return 0;
        }
    }
}
