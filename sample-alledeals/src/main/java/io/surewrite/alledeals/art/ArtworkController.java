package io.surewrite.alledeals.art;

import java.time.Duration;
import java.util.UUID;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** Serves the pictures. One changes only when the drawing here does, so a browser need not ask often. */
@Controller
class ArtworkController {

    private static final CacheControl FOR_A_DAY =
            CacheControl.maxAge(Duration.ofDays(1)).cachePublic();

    @GetMapping(path = "/art/{id}.svg", produces = "image/svg+xml")
    ResponseEntity<String> picture(@PathVariable UUID id) {
        return ResponseEntity.ok().cacheControl(FOR_A_DAY).body(Artwork.svg(id));
    }
}
