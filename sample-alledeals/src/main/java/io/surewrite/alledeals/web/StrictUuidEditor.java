package io.surewrite.alledeals.web;

import java.beans.PropertyEditorSupport;
import java.util.UUID;
import java.util.regex.Pattern;

/** Reads a UUID in its one full form; {@link UUID#fromString} takes {@code 1-1-1-1-1} as well. */
class StrictUuidEditor extends PropertyEditorSupport {

    private static final Pattern FORM = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    @Override
    public void setAsText(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("not a UUID");
        }
        setValue(UUID.fromString(text));
    }
}
