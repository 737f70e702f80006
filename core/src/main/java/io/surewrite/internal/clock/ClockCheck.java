package io.surewrite.internal.clock;

import io.surewrite.write.ClockOffsetException;
import org.jspecify.annotations.Nullable;

/**
 * What a feature asks before it begins something that rests on clocks. It goes by what was measured last: it sends
 * nothing and reads one field.
 */
@FunctionalInterface
public interface ClockCheck {

    /** Knows of nothing wrong. */
    ClockCheck NONE = () -> null;

    /** {@return what is known to be wrong with the clocks, or null if nothing is} */
    @Nullable
    String problem();

    /**
     * Refuses an operation if the clocks are known to be wrong.
     *
     * @param operation its name, without values
     * @throws ClockOffsetException if they are
     */
    default void require(String operation) {
        String problem = problem();
        if (problem != null) {
            throw new ClockOffsetException(operation, problem);
        }
    }
}
