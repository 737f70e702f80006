package io.surewrite.alledeals.lab;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The same work on the same database, written in two ways. Every bean of this type is on the Lab's page.
 *
 * <p>Both sides run at the same time and with the same seed: what {@link Run#faults} makes of a message follows from the seed, the
 * sender and the message's number, and from no side.
 */
interface Experiment {

    /** What the page says about the experiments, by their names, in the order of the page. */
    Map<String, Text> TEXTS = new JsonMapper()
            .readValue(
                    Experiment.class.getResourceAsStream("/lab-texts.json"),
                    new TypeReference<LinkedHashMap<String, Text>>() {});

    /** {@return its name in forms and links} */
    String name();

    /** {@return what the page says about it} */
    default Text text() {
        return Objects.requireNonNull(TEXTS.get(name()), name());
    }

    /** {@return whether it can run on this database} */
    default boolean isPossible() {
        return true;
    }

    /** Does the work with plain Spring Data. */
    Verdict plain(Run run) throws Exception;

    /** Does the work with Surewrite. */
    Verdict sure(Run run) throws Exception;

    /** What the page says about an experiment. */
    record Text(String title, String question, Code plain, Code sure, String page, List<Why> why) {}

    /** The lines that matter, as they stand in the file. */
    record Code(String file, List<String> lines) {

        /** {@return the file in the repository} */
        public String path() {
            return "sample-alledeals/src/main/java/io/surewrite/alledeals/" + (file.contains("/") ? "" : "lab/") + file;
        }

        public String text() {
            return String.join("\n", lines);
        }
    }

    /** A number or a line that needs a word. */
    record Why(String question, String answer) {}

    /** What came of one side. */
    record Verdict(String result, boolean right) {}
}
