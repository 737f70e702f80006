package io.surewrite.unique;

/**
 * Makes the texts equal that a constraint treats as the same. A normaliser must be idempotent and must never change its
 * mind: a new version belongs to a constraint of a new name, or old claims are not found any more. It runs on the driver's
 * threads, too: it must be quick, and must not block.
 */
@FunctionalInterface
public interface UniqueNormaliser {

    /** Texts are the same if they are equal. */
    UniqueNormaliser EXACT = text -> text;

    /**
     * Normalises the text of one component. Components that are not text, such as numbers, are given in their canonical
     * form.
     *
     * @param text the text
     * @return what is compared
     */
    String normalise(String text);

    /**
     * Applies another normaliser to the result of this one.
     *
     * @param next the other
     * @return both, this one first
     */
    default UniqueNormaliser then(UniqueNormaliser next) {
        return text -> next.normalise(normalise(text));
    }
}
