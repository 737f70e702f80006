package io.surewrite.alledeals.lab;

import java.util.List;

/**
 * The same work on the same database, written in two ways. Every bean of this type is on the Lab's page, in the order of the beans.
 *
 * <p>Both sides run at the same time and with the same seed: what {@link Run#faults} makes of a message follows from the seed, the
 * sender and the message's number, and from no side.
 */
interface Experiment {

    /** {@return what the page says about it} */
    Text text();

    default String name() {
        return text().name();
    }

    /** {@return whether it can run on this database} */
    default boolean isPossible() {
        return true;
    }

    /**
     * Does the work with plain Spring Data.
     *
     * @throws Exception what went wrong outside of the experiment
     */
    Verdict plain(Run run) throws Exception;

    /**
     * Does the work with Surewrite.
     *
     * @throws Exception what went wrong outside of the experiment
     */
    Verdict sure(Run run) throws Exception;

    /**
     * What the page says about an experiment.
     *
     * @param name in forms and links
     */
    record Text(String name, String title, String question, Code plain, Code sure, String page, List<Why> why) {}

    /**
     * The lines that matter.
     *
     * @param lines as they stand in the file
     * @param file the file's name in the package of the Lab, or its path in the shop
     */
    record Code(String lines, String file) {

        private static final String SHOP = "sample-alledeals/src/main/java/io/surewrite/alledeals/";

        public Code {
            lines = lines.strip();
        }

        /** {@return the file in the repository} */
        public String path() {
            return SHOP + (file.contains("/") ? "" : "lab/") + file;
        }
    }

    /** A number or a line that needs a word. */
    record Why(String question, String answer) {}

    /** What came of one side. */
    record Verdict(String result, boolean right) {}
}
