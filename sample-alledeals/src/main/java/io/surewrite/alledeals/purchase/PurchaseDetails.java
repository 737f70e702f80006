package io.surewrite.alledeals.purchase;

import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/** What a buyer gives. */
record PurchaseDetails(@NotNull UUID buyerId, @NotNull Integer quantity) {}
