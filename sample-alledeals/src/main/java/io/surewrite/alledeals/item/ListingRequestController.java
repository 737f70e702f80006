package io.surewrite.alledeals.item;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.UUID;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** What becomes of requests that were kept, over REST. */
@RestController
@Tag(name = "Items")
class ListingRequestController {

    private final ListingDesk desk;

    ListingRequestController(ListingDesk desk) {
        this.desk = desk;
    }

    @GetMapping("/api/listing-requests/{bucket}/{id}")
    @Operation(summary = "What has become of a request to list an item that was kept while the database was away")
    ListingProgress get(@PathVariable Instant bucket, @PathVariable UUID id) {
        return desk.progress(bucket, id);
    }
}
