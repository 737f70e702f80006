package io.surewrite.alledeals.purchase;

/**
 * The units of a purchase are taken. Whoever hears it must be able to hear it again: it is published once more whenever
 * nobody knows whether everybody heard.
 */
public record PurchaseBoundEvent(Purchase purchase) {}
