package io.surewrite.alledeals.web;

import java.util.UUID;
import org.springframework.beans.propertyeditors.StringTrimmerEditor;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;

/** How addresses and form fields become values: ids strictly, an empty field as no value. */
@ControllerAdvice
class Binding {

    @InitBinder
    void bind(WebDataBinder binder) {
        binder.registerCustomEditor(UUID.class, new StrictUuidEditor());
        binder.registerCustomEditor(String.class, new StringTrimmerEditor(true));
    }
}
