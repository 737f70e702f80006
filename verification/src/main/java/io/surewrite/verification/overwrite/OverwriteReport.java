package io.surewrite.verification.overwrite;

import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Goal;
import io.surewrite.verification.overwrite.OverwriteBenchmark.Measured;
import io.surewrite.verification.overwrite.OverwriteBenchmark.ReadTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Says what was measured, as ratios to {@code save}. */
final class OverwriteReport {

    /** From here on the goals against save hold: half of the columns are null. */
    private static final int MANY_NULLS = 20;

    private static final List<String> QUANTITIES =
            List.of("tombstones read", "bytes on disk", "read", "read, compacted", "write");

    private static final Pattern DRAWN = Pattern.compile("```mermaid\nxychart-beta\n.*?```\n", Pattern.DOTALL);

    private OverwriteReport() {}

    static void print(int nulls, List<Measured> measured, Figures figures) {
        System.out.printf(
                "%n%-22s %17s %14s %12s %12s %12s %12s %12s%n",
                nulls + " of 40 null",
                "tombstones a read",
                "bytes on disk",
                "read p50 ms",
                "in the node",
                "compacted",
                "in the node",
                "write p50 ms");
        for (Measured way : measured) {
            System.out.printf(
                    Locale.ROOT,
                    "%-22s %8d - %6d %14d %12.3f %12.3f %12.3f %12.3f %12.3f%n",
                    name(way),
                    way.leastTombstones(),
                    way.mostTombstones(),
                    way.bytes(),
                    way.read().median(),
                    way.read().inNode(),
                    way.compactedRead().median(),
                    way.compactedRead().inNode(),
                    way.writeMillis());
        }
        Measured save = of(measured, Way.Kind.SAVE);
        Measured overwrite = of(measured, Way.Kind.OVERWRITE);
        System.out.println();
        String rows = ", %d of 40 null".formatted(nulls);
        Measured once = of(measured, Way.Kind.ONCE);
        Measured partition = of(measured, Way.Kind.OVERWRITE_PARTITION);
        boolean many = nulls >= MANY_NULLS;
        reads("p50" + rows, overwrite, partition, save, once, many, ReadTimes::median, figures);
        reads("mean in the node" + rows, overwrite, partition, save, once, many, ReadTimes::inNode, figures);
        add("bytes on disk, compacted" + rows, "", overwrite, save, Measured::bytes, null, figures);
        add("bytes on disk, compacted" + rows, "", overwrite, once, Measured::bytes, 1.03, figures);
        add("write of a row, p50" + rows, "ms", overwrite, save, Measured::writeMillis, 1.03, figures);
        figures.add(Figure.value("tombstones a read, at most" + rows, "", (double) overwrite.mostTombstones())
                .beside("save", (double) save.mostTombstones())
                .withGoal(Goal.atMost(0)));
    }

    /** As a client sees them, and as the node itself counts them, which is how the goals were found. */
    private static void reads(
            String how,
            Measured overwrite,
            Measured partition,
            Measured save,
            Measured once,
            boolean many,
            ToDoubleFunction<ReadTimes> time,
            Figures figures) {
        ToDoubleFunction<Measured> read = way -> time.applyAsDouble(way.read());
        ToDoubleFunction<Measured> compacted = way -> time.applyAsDouble(way.compactedRead());
        add("read of 100 rows, " + how, "ms", overwrite, save, read, many ? 0.75 : null, figures);
        add("the same, compacted, " + how, "ms", overwrite, save, compacted, many ? 0.85 : null, figures);
        add("the same, compacted, " + how, "ms", overwrite, once, compacted, 1.08, figures);
        add("read after overwritePartition, " + how, "ms", partition, save, read, many ? 0.40 : null, figures);
    }

    private static void add(
            String what,
            String unit,
            Measured ours,
            Measured beside,
            ToDoubleFunction<Measured> quantity,
            @Nullable Double goal,
            Figures figures) {
        Figure figure =
                Figure.ratio(what, unit, quantity.applyAsDouble(ours), name(beside), quantity.applyAsDouble(beside));
        figures.add(goal == null ? figure : figure.withGoal(Goal.atMost(goal)));
    }

    /** What a read of many rows meets on a server that has Cassandra's own limits. */
    static void limits(
            int rows, int nulls, boolean saveFails, boolean overwriteFails, int overwriteWarnings, Figures figures) {
        String what = " of %,d rows with %d nulls, default limits".formatted(rows, nulls);
        figures.add(Figure.value("failed reads" + what, "", overwriteFails ? 1 : 0)
                .beside("save", saveFails ? 1 : 0)
                .withGoal(Goal.atMost(0)));
        figures.add(
                Figure.value("warnings of a read" + what, "", overwriteWarnings).withGoal(Goal.atMost(0)));
    }

    /** What overwriting leaves and costs, in percent of {@code save}, as a drawing for a page: light where the page is, and dark. */
    static String drawing(int nulls, int overwrites, List<Measured> measured) {
        Measured overwrite = of(measured, Way.Kind.OVERWRITE);
        Measured save = of(measured, Way.Kind.SAVE);
        String bars = Stream.<ToDoubleFunction<Measured>>of(
                        Measured::mostTombstones,
                        Measured::bytes,
                        way -> way.read().median(),
                        way -> way.compactedRead().median(),
                        Measured::writeMillis)
                .map(quantity -> String.valueOf(
                        Math.round(100 * quantity.applyAsDouble(overwrite) / quantity.applyAsDouble(save))))
                .collect(Collectors.joining(", "));
        return """
                ```mermaid
                xychart-beta
                    title "40 columns, %d null, each row overwritten %d times: overwrite in %% of save"
                    x-axis [%s]
                    y-axis "less is better" 0 --> 120
                    bar [%s]
                ```
                """.formatted(
                        nulls,
                        overwrites,
                        QUANTITIES.stream().map(each -> '"' + each + '"').collect(Collectors.joining(", ")),
                        bars);
    }

    /** Puts a drawing into a page, in place of the one before. */
    static void draw(String drawing, Path page) throws IOException {
        Files.createDirectories(page.toAbsolutePath().getParent());
        String before = Files.exists(page) ? Files.readString(page) : "";
        Matcher drawn = DRAWN.matcher(before);
        Files.writeString(
                page, drawn.find() ? drawn.replaceFirst(Matcher.quoteReplacement(drawing)) : before + drawing);
        System.out.println("Drawn in " + page.getFileName());
    }

    private static Measured of(List<Measured> measured, Way.Kind kind) {
        return measured.stream().filter(way -> way.kind() == kind).findFirst().orElseThrow();
    }

    private static String name(Measured way) {
        return switch (way.kind()) {
            case SAVE -> "save";
            case INSERT_WITHOUT_NULLS -> "insert, nulls ignored";
            case OVERWRITE -> "overwrite";
            case OVERWRITE_PARTITION -> "overwritePartition";
            case ONCE -> "written once";
        };
    }
}
