package io.surewrite.autoconfigure;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Refuses values of properties, so that the start ends with the property, its value and what is wrong with it. */
final class PropertyCheck {

    private PropertyCheck() {}

    static void require(boolean valid, String name, @Nullable Object value, String otherwise) {
        if (!valid) {
            throw new InvalidConfigurationPropertyValueException(name, value, otherwise);
        }
    }

    /** {@return settings that check themselves} */
    static <T> T settings(String prefix, @Nullable Object properties, Supplier<T> settings) {
        try {
            return settings.get();
        } catch (IllegalArgumentException wrong) {
            throw new InvalidConfigurationPropertyValueException(
                    prefix, properties, String.valueOf(wrong.getMessage()));
        }
    }
}
