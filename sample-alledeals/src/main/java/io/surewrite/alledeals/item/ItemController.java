package io.surewrite.alledeals.item;

import io.surewrite.alledeals.item.ItemService.Listing;
import io.surewrite.alledeals.item.ItemService.Shelf;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.time.Clock;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Items over REST. */
@RestController
@RequestMapping("/api/items")
@Tag(name = "Items")
class ItemController {

    private final ItemService items;
    private final ListingDesk desk;
    private final Clock clock;

    ItemController(ItemService items, ListingDesk desk, Clock clock) {
        this.items = items;
        this.desk = desk;
        this.clock = clock;
    }

    @PutMapping("/{id}")
    @Operation(summary = "List an item under a timeuuid of your making; safe to repeat")
    @ApiResponse(responseCode = "201", description = "Listed")
    @ApiResponse(responseCode = "200", description = "Was listed already, just so; as it stands now")
    @ApiResponse(
            responseCode = "202",
            description = "The database is away: the request is kept, neither listed nor refused. Location tells what"
                    + " becomes of it")
    @ApiResponse(responseCode = "409", description = "A different item has this id")
    ResponseEntity<Item> put(@PathVariable UUID id, @Valid @RequestBody ItemDetails details) {
        Item item = details.listed(id, clock.instant());
        return desk.list(item)
                .map(ItemController::listed)
                .orElseGet(() -> ResponseEntity.accepted()
                        .location(URI.create("/api" + ListingRequest.addressOf(item)))
                        .body(item));
    }

    private static ResponseEntity<Item> listed(Listing listing) {
        Item item = listing.item();
        return listing.isNew()
                ? ResponseEntity.created(URI.create("/api/items/" + item.id())).body(item)
                : ResponseEntity.ok(item);
    }

    @GetMapping("/{id}")
    @Operation(summary = "Show an item")
    Item get(@PathVariable UUID id) {
        return items.get(id);
    }

    @GetMapping
    @Operation(summary = "Page through all items, in no particular order; pass 'next' as 'after' for the next page")
    Shelf page(
            @RequestParam(required = false) @Nullable UUID after,
            @RequestParam(defaultValue = "24") @Min(1) @Max(100) int size) {
        return items.shelf(after, size);
    }
}
