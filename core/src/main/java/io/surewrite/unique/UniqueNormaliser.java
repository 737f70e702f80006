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

    /** {@return what is compared of a component} One that is no text, such as a number, is given in its canonical form. */
    String normalise(String text);

    /** {@return this normaliser, and then another one on its result} */
    default UniqueNormaliser then(UniqueNormaliser next) {
        return text -> next.normalise(normalise(text));
    }
}
