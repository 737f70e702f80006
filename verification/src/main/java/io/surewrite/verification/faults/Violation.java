package io.surewrite.verification.faults;

/**
 * Something that is wrong with a row.
 *
 * @param subject the row
 * @param isLoss whether an acknowledged write is missing, rather than something there that must not be
 * @param sentence what is wrong
 */
record Violation(String subject, boolean isLoss, String sentence) {

    @Override
    public String toString() {
        return sentence;
    }
}
