package io.surewrite.alledeals.purchase;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.surewrite.alledeals.purchase.PurchaseService.Purchasing;
import io.surewrite.alledeals.web.Cursor.Page;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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

/** Purchases over REST. */
@RestController
@RequestMapping("/api")
@Tag(name = "Purchases")
class PurchaseController {

    private final PurchaseService purchases;
    private final Clock clock;

    PurchaseController(PurchaseService purchases, Clock clock) {
        this.purchases = purchases;
        this.clock = clock;
    }

    @PutMapping("/items/{id}/purchases/{purchaseId}")
    @Operation(summary = "Buy, under a timeuuid of your making; safe to repeat, whatever the first answer was")
    @ApiResponse(responseCode = "201", description = "Bought")
    @ApiResponse(responseCode = "200", description = "Was bought already, just so")
    @ApiResponse(
            responseCode = "409",
            description = "Sold out, the auction is finished, or another purchase has this id")
    @ApiResponse(responseCode = "422", description = "The quantity is not possible, or the buyer is not registered")
    @ApiResponse(responseCode = "503", description = "The outcome is not known; the same request again settles it")
    ResponseEntity<Answer> put(
            @PathVariable UUID id, @PathVariable UUID purchaseId, @Valid @RequestBody PurchaseDetails details) {
        Purchasing done = purchases.purchase(purchaseId, id, details.buyerId(), details.quantity());
        Answer answer = answer(done.purchase());
        return done.isNew()
                ? ResponseEntity.created(URI.create("/api/purchases/" + purchaseId))
                        .body(answer)
                : ResponseEntity.ok(answer);
    }

    @GetMapping("/purchases/{id}")
    @Operation(summary = "Show a purchase: its status, and when it expires if it is not completed")
    Answer get(@PathVariable UUID id) {
        return answer(purchases.get(id));
    }

    @GetMapping("/users/{id}/purchases")
    @Operation(summary = "The completed purchases of a user, the newest first; pass 'next' as 'cursor'")
    Page<UserPurchase> ofUser(
            @PathVariable UUID id,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "24") @Min(1) @Max(100) int size) {
        return purchases.ofUser(id, cursor, size);
    }

    private Answer answer(Purchase purchase) {
        Instant expires = purchase.expiresIn() == null
                ? null
                : clock.instant().truncatedTo(ChronoUnit.SECONDS).plusSeconds(purchase.expiresIn());
        return new Answer(purchase, expires);
    }

    /** A purchase as it stands. */
    record Answer(
            @JsonUnwrapped Purchase purchase, @Nullable Instant expires) {}
}
