package io.surewrite.unique;

/** The normalisers that {@link UniqueBy} names; others are beans. */
public enum Normalisation {

    /** {@link UniqueNormaliser#CASE_FOLDED}. */
    CASE_FOLDED,

    /** {@link UniqueNormaliser#TRIMMED}. */
    TRIMMED,

    /** {@link UniqueNormaliser#NFC}. */
    NFC;

    /**
     * {@return what normalises}
     */
    public UniqueNormaliser normaliser() {
        return switch (this) {
            case CASE_FOLDED -> UniqueNormaliser.CASE_FOLDED;
            case TRIMMED -> UniqueNormaliser.TRIMMED;
            case NFC -> UniqueNormaliser.NFC;
        };
    }
}
