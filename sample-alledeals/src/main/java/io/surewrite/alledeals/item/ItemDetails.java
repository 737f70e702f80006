package io.surewrite.alledeals.item;

import io.surewrite.alledeals.web.Line;
import io.surewrite.alledeals.web.Prose;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a seller gives when listing an item. */
record ItemDetails(
        @NotNull UUID sellerId,
        @NotBlank @Size(max = 100) @Line String name,
        @NotBlank @Size(max = 4000) @Prose String description,

        @NotNull
        @DecimalMin("0.01")
        @Digits(integer = 8, fraction = 2, message = "must have at most 8 digits before and 2 after the point")
        BigDecimal unitPrice,

        @NotNull @Min(1) @Max(1_000_000) Integer offeredUnits,
        @NotNull Instant endDate,

        @Nullable @Size(max = 8, message = "must be at most 8")
        Set<@NotNull @Size(max = LONGEST_TAG) @Pattern(regexp = TAG, message = TAG_RULE) String> tags) {

    static final int LONGEST_TAG = 30;
    static final String TAG = "[\\p{Ll}\\p{Nd}]+(-[\\p{Ll}\\p{Nd}]+)*";
    static final String TAG_RULE = "must be lower-case letters and digits, with single hyphens between";

    /** The item as it is when just listed: everything offered is available. */
    Item listed(UUID id, Instant now) {
        return new Item(
                id,
                sellerId,
                name,
                description,
                unitPrice.setScale(2),
                offeredUnits,
                offeredUnits,
                now.truncatedTo(ChronoUnit.MILLIS),
                endDate.truncatedTo(ChronoUnit.MILLIS),
                tags == null ? Set.of() : tags,
                false);
    }
}
