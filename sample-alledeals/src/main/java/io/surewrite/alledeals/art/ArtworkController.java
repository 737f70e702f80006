package io.surewrite.alledeals.art;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** Serves the pictures. One changes only when the drawing here does, so a browser need not ask often. */
@Controller
class ArtworkController {

    private static final CacheControl FOR_A_DAY =
            CacheControl.maxAge(Duration.ofDays(1)).cachePublic();

    @GetMapping(path = "/art/{id}.svg", produces = "image/svg+xml")
    ResponseEntity<String> picture(@PathVariable UUID id, @RequestParam(required = false) @Nullable String of) {
        return ResponseEntity.ok().cacheControl(FOR_A_DAY).body(Artwork.svg(id, of == null ? "" : of));
    }
}
