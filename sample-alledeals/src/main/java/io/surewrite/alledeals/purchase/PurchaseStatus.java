package io.surewrite.alledeals.purchase;

/** How far a purchase has come. */
public enum PurchaseStatus {
    /** Saved, to be gone after 24 hours unless it is completed. */
    CREATED,
    /** Bound to its item, and kept for good. */
    COMPLETED
}
