package io.surewrite.alledeals.item;

import java.time.Instant;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;

/** The page of a seller whose request was kept. */
@Controller
@RequestMapping("/listing-requests/{bucket}/{id}")
class ListingRequestPages {

    private final ListingDesk desk;

    ListingRequestPages(ListingDesk desk) {
        this.desk = desk;
    }

    @GetMapping
    String kept(@PathVariable Instant bucket, @PathVariable UUID id, Model model) {
        fill(bucket, id, model);
        return "kept";
    }

    /** The news alone, for a page that is open already. */
    @GetMapping(headers = "HX-Request")
    String soFar(@PathVariable Instant bucket, @PathVariable UUID id, Model model) {
        fill(bucket, id, model);
        return "kept :: progress";
    }

    private void fill(Instant bucket, UUID id, Model model) {
        ListingProgress progress = desk.progress(bucket, id);
        model.addAttribute("progress", progress);
        model.addAttribute("again", progress.isOnItsWay() ? ListingRequest.addressOf(progress.item()) : null);
    }
}
