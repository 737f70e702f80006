package io.surewrite.autoconfigure;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Refuses values of properties, so that the start ends with the property, its value and what is wrong with it. */
final class PropertyCheck {

    private PropertyCheck() {}

    static void require(boolean valid, String name, @Nullable Object value, String otherwise) {
        if (!valid) {
            throw new InvalidConfigurationPropertyValueException(
                    name, value instanceof Duration duration ? HumanText.of(duration) : value, HumanText.of(otherwise));
        }
    }

    /** {@return settings that check themselves, and say which of them is wrong} */
    static <T> T settings(String prefix, Supplier<T> settings) {
        try {
            return settings.get();
        } catch (IllegalArgumentException wrong) {
            throw new RefusedSettings(prefix, String.valueOf(wrong.getMessage()));
        }
    }

    /** Properties that do not go together, or one of several. None has a value that says it all. */
    static final class RefusedSettings extends InvalidConfigurationPropertyValueException {

        private static final long serialVersionUID = 1L;

        RefusedSettings(String prefix, String reason) {
            super(prefix, null, HumanText.of(reason));
        }

        @Override
        public String getMessage() {
            return "%s: %s".formatted(getName(), getReason());
        }
    }

    /** A property that must be set. */
    static final class MissingProperty extends InvalidConfigurationPropertyValueException {

        private static final long serialVersionUID = 1L;

        MissingProperty(String name, String reason) {
            super(name, null, reason);
        }

        @Override
        public String getMessage() {
            return "%s is not set. %s".formatted(getName(), getReason());
        }
    }
}
