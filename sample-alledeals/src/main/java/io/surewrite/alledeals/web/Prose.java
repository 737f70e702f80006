package io.surewrite.alledeals.web;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Readable text, also on several lines: no control characters, no half characters. */
@Pattern(regexp = "[[^\\p{Cc}\\p{Cs}]\\r\\n\\t]*")
@Constraint(validatedBy = {})
@ReportAsSingleViolation
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE_USE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Prose {

    String message() default "must be text without control characters";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
