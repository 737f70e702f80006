package io.surewrite.alledeals.item;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.user.UserView;
import io.surewrite.alledeals.web.ProblemException;
import io.surewrite.alledeals.web.TimeIds;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.propertyeditors.CustomNumberEditor;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The form to list an item. It carries what the PUT of the REST interface carries, the item's id with it, so that
 * sending it twice lists one item.
 */
@Controller
class SellPages {

    private static final String TO_SHOPPER = "redirect:/shopper?next=/sell";

    private final ListingDesk desk;
    private final Clock clock;

    SellPages(ListingDesk desk, Clock clock) {
        this.desk = desk;
        this.clock = clock;
    }

    /** Whoever writes a price with a comma means a point. */
    @InitBinder("details")
    static void readPrices(WebDataBinder binder) {
        binder.registerCustomEditor(BigDecimal.class, new CustomNumberEditor(BigDecimal.class, true) {
            @Override
            public void setAsText(String text) {
                super.setAsText(text.matches("[0-9]+,[0-9]{1,2}") ? text.replace(',', '.') : text);
            }
        });
    }

    @GetMapping("/sell")
    String form(
            @ModelAttribute(name = "shopper", binding = false) @Nullable UserView shopper,
            @ModelAttribute("details") ItemDetails empty,
            Model model) {
        return shopper == null ? TO_SHOPPER : form(Uuids.timeBased(), model);
    }

    @PostMapping("/sell")
    String sell(
            @RequestParam UUID id,
            @ModelAttribute(name = "shopper", binding = false) @Nullable UserView shopper,
            @Valid @ModelAttribute("details") ItemDetails details,
            BindingResult errors,
            Model model,
            HttpServletResponse response) {
        if (shopper == null) {
            return TO_SHOPPER;
        }
        String next = "";
        if (!errors.hasErrors()) {
            if (!shopper.id().equals(details.sellerId())) {
                errors.reject("otherSeller", "You are shopping as somebody else now. Please open the form again.");
            } else {
                next = list(details.listed(id, clock.instant()), errors);
            }
        }
        if (errors.hasErrors()) {
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
            // A form that was left open until its ends had passed starts anew. Nothing was written under the old id.
            return form(errors.hasFieldErrors("endDate") ? Uuids.timeBased() : id, model);
        }
        return "redirect:" + next;
    }

    /** The card as others will see it, while the seller is still typing. */
    @PostMapping("/sell/preview")
    String preview(
            @RequestParam UUID id, @ModelAttribute("details") ItemDetails draft, BindingResult any, Model model) {
        return form(id, model) + " :: preview";
    }

    /** The page where to go on. */
    private String list(Item item, BindingResult errors) {
        String listed = "/items/" + item.id();
        try {
            return desk.list(item).isPresent() ? listed : ListingRequest.addressOf(item);
        } catch (ProblemException refusal) {
            if (refusal.fields().isEmpty()) {
                throw refusal;
            }
            refusal.fields().forEach(problem -> reject(problem.field(), problem.message(), errors));
            return listed;
        }
    }

    private static void reject(String field, String message, BindingResult errors) {
        if (errors.getFieldType(field) == null) {
            errors.reject("refused", field + " " + message);
        } else {
            errors.rejectValue(field, "refused", message);
        }
    }

    private static String form(UUID sent, Model model) {
        UUID id = TimeIds.isTimeUuid(sent) ? sent : Uuids.timeBased();
        model.addAttribute("id", id);
        model.addAttribute(
                "ends", Stream.of(3, 7, 14, 30).map(days -> End.of(id, days)).toList());
        return "sell";
    }

    /**
     * One choice of when the offer ends, counted from the time in the item's id: the same form always means the same.
     */
    record End(int days, Instant date) {

        static End of(UUID id, int days) {
            return new End(days, Instant.ofEpochMilli(Uuids.unixTimestamp(id)).plus(Duration.ofDays(days)));
        }
    }
}
