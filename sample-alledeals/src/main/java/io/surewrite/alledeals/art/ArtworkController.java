package io.surewrite.alledeals.art;

import java.time.Duration;
import java.util.UUID;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** Serves the pictures. They never change, so a browser asks once. */
@Controller
class ArtworkController {

    private static final CacheControl FOR_GOOD =
            CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

    @GetMapping(path = "/art/{id}.svg", produces = "image/svg+xml")
    ResponseEntity<String> picture(@PathVariable UUID id) {
        return ResponseEntity.ok().cacheControl(FOR_GOOD).body(Artwork.svg(id));
    }
}
