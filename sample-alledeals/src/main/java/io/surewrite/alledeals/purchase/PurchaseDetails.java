package io.surewrite.alledeals.purchase;

import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/**
 * What a buyer gives.
 *
 * @param buyerId who buys
 * @param quantity how many
 */
record PurchaseDetails(@NotNull UUID buyerId, @NotNull Integer quantity) {}
