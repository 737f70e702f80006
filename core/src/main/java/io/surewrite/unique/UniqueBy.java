package io.surewrite.unique;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.text.Normalizer;
import java.util.Locale;

/**
 * Lets at most one row have a value: {@code @UniqueBy("login")}.
 *
 * <p>It counts for the table: for whatever a repository, a fragment or a template bean writes there, of any entity. On a method that
 * writes entities it says the same as on the interface. A statement that cannot be guarded is refused before it is sent.
 *
 * <p>What cannot work ends the start with an {@link io.surewrite.write.InvalidConfigurationException}.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(UniqueBy.All.class)
public @interface UniqueBy {

    /**
     * {@return the properties whose values are unique together: names, or paths such as {@code address.street} into embedded
     * objects and primary key classes}
     */
    String[] value();

    /** {@return the name in the table of claims, for ever bound to these properties; by default table, columns and normalisers} */
    String name() default "";

    /** {@return what counts as equal, applied to each property in this order; none: exact} */
    Normalisation[] normalise() default {};

    /**
     * {@return names of {@link UniqueNormaliser} beans, applied after {@link #normalise}; then give a {@link #name} that changes
     * whenever they do}
     */
    String[] normalisers() default {};

    /** {@return what a null part means, and an empty one: by default a null claims nothing, and an empty text is a value} */
    NullRule nulls() default NullRule.NO_CLAIM;

    /** Several constraints. */
    @Documented
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @interface All {

        /** {@return the constraints} */
        UniqueBy[] value();
    }

    /** What a constraint makes of a null component, and of an empty one. */
    enum NullRule {

        /** A value with a null component is not claimed: any number of rows may have it, as in SQL. */
        NO_CLAIM,

        /**
         * As {@link #NO_CLAIM}, and a text that is empty or blank counts as null: any number of rows may have it. It is judged
         * after the normalisers.
         */
        NO_CLAIM_IF_BLANK,

        /** Nulls are equal: only one row may have the value, null components included. */
        EQUAL
    }

    /** The normalisers that {@link UniqueBy} names; others are beans. */
    enum Normalisation implements UniqueNormaliser {

        /** Upper and lower case are the same, in no particular language. */
        CASE_FOLDED,

        /** White space around the text does not matter. */
        TRIMMED,

        /** Unicode's composed form: the same letter by another sequence of code points is the same. */
        NFC;

        @Override
        public String normalise(String text) {
            return switch (this) {
                case CASE_FOLDED -> text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
                case TRIMMED -> text.strip();
                case NFC -> Normalizer.normalize(text, Normalizer.Form.NFC);
            };
        }
    }
}
