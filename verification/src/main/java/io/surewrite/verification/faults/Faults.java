package io.surewrite.verification.faults;

import io.surewrite.verification.Arguments;
import java.nio.file.Path;
import java.util.List;

/**
 * {@link LeaseFaults} and {@link UniqueFaults} at the same time, with fewer and slower clients: for 15 seconds as a part of
 * {@code mvn verify} and for two minutes with {@code -Plong}, unless {@code -Dverification.faults.phase=none} leaves it out, and for half an hour with
 * {@code mvn -pl verification -am -DskipTests -Pfaults package}, which makes a page of what came out.
 */
public final class Faults {

    private Faults() {}

    /**
     * Runs for a while and throws if anything was wrong.
     *
     * @param args how many seconds, and the Markdown file for the page, if there is to be one, as one text
     *     with a comma
     * @throws Exception when something was wrong
     */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, "120", "");
        // A machine that builds may be busy with other things: four seconds more than LeaseFaults permits.
        FaultReport report = Ordeal.run(
                "faults",
                arguments.text(0),
                List.of(new LeaseFaults(2, LeaseFaults.LONGEST_BLOCKED.plusSeconds(4)), new UniqueFaults(2, 50)));
        if (!arguments.text(1).isEmpty()) {
            report.write(Path.of(arguments.text(1)));
        }
        report.throwIfWrong();
    }
}
