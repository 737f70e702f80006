package io.surewrite.alledeals.item;

import io.surewrite.alledeals.web.Cursor.Page;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.YearMonth;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Listings over REST, page by page: pass 'next' of the answer as 'cursor'. */
@RestController
@RequestMapping("/api")
@Tag(name = "Listings")
class ListingController {

    private final ListingService listings;

    ListingController(ListingService listings) {
        this.listings = listings;
    }

    @GetMapping("/users/{id}/items")
    @Operation(summary = "The items a user lists now, the newest first; a listing is gone after 30 days")
    Page<UserItem> ofUser(
            @PathVariable UUID id,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "24") @Min(1) @Max(100) int size) {
        return listings.ofUser(id, cursor, size);
    }

    @GetMapping("/users/{id}/items/history/{month}")
    @Operation(summary = "All items a user listed in a month (UTC), the newest first")
    Page<UserItemHistory> history(
            @PathVariable UUID id,
            @PathVariable YearMonth month,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "24") @Min(1) @Max(100) int size) {
        return listings.history(id, month, cursor, size);
    }

    @GetMapping("/tags/{tag}/items")
    @Operation(summary = "The items with a tag, the newest first")
    Page<TagItem> tagged(
            @PathVariable
                    @Size(max = ItemDetails.LONGEST_TAG)
                    @Pattern(regexp = ItemDetails.TAG, message = ItemDetails.TAG_RULE)
                    String tag,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "24") @Min(1) @Max(100) int size) {
        return listings.tagged(tag, cursor, size);
    }
}
