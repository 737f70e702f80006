package io.surewrite.alledeals.web;

import java.util.UUID;
import org.springframework.beans.propertyeditors.StringTrimmerEditor;
import org.springframework.validation.beanvalidation.LocalValidatorFactoryBean;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;

/** How addresses and form fields become values: ids strictly, an empty field as no value. */
@ControllerAdvice
class Binding {

    private final LocalValidatorFactoryBean validator;

    Binding(LocalValidatorFactoryBean validator) {
        this.validator = validator;
    }

    @InitBinder
    void bind(WebDataBinder binder) {
        binder.registerCustomEditor(UUID.class, new StrictUuidEditor());
        binder.registerCustomEditor(String.class, new StringTrimmerEditor(true));
        if (binder.getValidator() != null) {
            // When one field of a form does not fit its type, the others are validated one by one. The adapter that
            // Spring Boot puts around this validator cannot do that, and only the first mistake would be shown.
            binder.replaceValidators(validator);
        }
    }
}
