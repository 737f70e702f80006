package io.surewrite.alledeals.item;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;

/** The page of a seller whose request was kept. */
@Controller
class ListingRequestPages {

    private final ListingDesk desk;

    ListingRequestPages(ListingDesk desk) {
        this.desk = desk;
    }

    /** To a page that is open already it gives the news alone. */
    @GetMapping("/listing-requests/{bucket}/{id}")
    String kept(
            @PathVariable Instant bucket,
            @PathVariable UUID id,
            @RequestHeader(name = "HX-Request", required = false) @Nullable String open,
            Model model) {
        ListingProgress progress = desk.progress(bucket, id);
        model.addAttribute("progress", progress);
        model.addAttribute("again", progress.isOnItsWay() ? ListingRequest.addressOf(progress.item()) : null);
        return open == null ? "kept" : "kept :: progress";
    }
}
