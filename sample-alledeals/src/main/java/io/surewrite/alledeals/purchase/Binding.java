package io.surewrite.alledeals.purchase;

/** What the item says to a purchase. */
sealed interface Binding {

    /**
     * The units are taken.
     *
     * @param isNew whether by this call, or by an earlier one that may not have heard of it
     */
    record Bound(boolean isNew) implements Binding {}

    /**
     * Not enough is left, and never will be.
     *
     * @param available how many are left
     */
    record SoldOut(int available) implements Binding {}

    /** A purchase with this id took another number of units. */
    record Different() implements Binding {}
}
