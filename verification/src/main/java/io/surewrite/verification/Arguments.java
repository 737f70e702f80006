package io.surewrite.verification;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a benchmark is told: one text with commas; what is left out has a default. */
public final class Arguments {

    private final List<String> values;

    private Arguments(List<String> values) {
        this.values = values;
    }

    /**
     * Reads the arguments of a program.
     *
     * @param given one text, or none
     * @param defaults for each argument, in order
     * @return the arguments
     */
    public static Arguments of(String[] given, String... defaults) {
        List<String> values = new ArrayList<>(List.of(defaults));
        String[] told = given.length == 0 ? given : given[0].split(",", -1);
        for (int i = 0; i < told.length; i++) {
            values.set(i, told[i]);
        }
        return new Arguments(values);
    }

    /**
     * {@return an argument as it is}
     *
     * @param index from 0
     */
    public String text(int index) {
        return values.get(index);
    }

    /**
     * {@return an argument that is a number}
     *
     * @param index from 0
     */
    public int number(int index) {
        return Integer.parseInt(text(index));
    }

    /**
     * {@return an argument that is a number of seconds}
     *
     * @param index from 0
     */
    public Duration seconds(int index) {
        return Duration.ofSeconds(number(index));
    }

    /** {@return all of them, as they would be told} */
    @Override
    public String toString() {
        return String.join(",", values);
    }
}
