package io.surewrite.verification.overwrite;

import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Goal;
import io.surewrite.verification.overwrite.OverwriteBenchmark.Measured;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/** Says what was measured, as ratios to {@code save}. */
final class OverwriteReport {

    private static final List<String> QUANTITIES =
            List.of("tombstones read", "bytes on disk", "read", "read, compacted", "write");

    private OverwriteReport() {}

    static void print(int nulls, List<Measured> measured, Figures figures) {
        System.out.printf(
                "%n%-22s %17s %14s %12s %12s %12s%n",
                nulls + " of 40 null",
                "tombstones a read",
                "bytes on disk",
                "read p50 ms",
                "compacted",
                "write p50 ms");
        for (Measured way : measured) {
            System.out.printf(
                    Locale.ROOT,
                    "%-22s %8d - %6d %14d %12.3f %12.3f %12.3f%n",
                    name(way),
                    way.leastTombstones(),
                    way.mostTombstones(),
                    way.bytes(),
                    way.readMillis(),
                    way.compactedReadMillis(),
                    way.writeMillis());
        }
        Measured save = of(measured, Way.Kind.SAVE);
        Measured overwrite = of(measured, Way.Kind.OVERWRITE);
        System.out.println();
        String rows = ", %d of 40 null".formatted(nulls);
        add("read of 100 rows, p50" + rows, "ms", overwrite, save, Measured::readMillis, 0.70, figures);
        add("the same, compacted" + rows, "ms", overwrite, save, Measured::compactedReadMillis, 0.70, figures);
        add("bytes on disk, compacted" + rows, "", overwrite, save, Measured::bytes, 0.70, figures);
        add("write of a row, p50" + rows, "ms", overwrite, save, Measured::writeMillis, 1.02, figures);
        figures.add(Figure.value("tombstones a read, at most" + rows, "", (double) overwrite.mostTombstones())
                .beside("save", (double) save.mostTombstones())
                .withGoal(Goal.atMost(0)));
    }

    private static void add(
            String what,
            String unit,
            Measured overwrite,
            Measured save,
            ToDoubleFunction<Measured> quantity,
            double goal,
            Figures figures) {
        figures.add(Figure.ratio(what, unit, quantity.applyAsDouble(overwrite), "save", quantity.applyAsDouble(save))
                .withGoal(Goal.atMost(goal)));
    }

    static void draw(int nulls, int overwrites, List<Measured> measured, Path file) throws IOException {
        CategoryChart chart = new CategoryChartBuilder()
                .width(900)
                .height(480)
                .title("40 columns, %d null, each row overwritten %d times".formatted(nulls, overwrites))
                .yAxisTitle("relative to save (less is better)")
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
        chart.getStyler().setLabelsVisible(true);
        chart.getStyler().setAvailableSpaceFill(0.7);
        Measured save = of(measured, Way.Kind.SAVE);
        for (Measured way : measured) {
            chart.addSeries(
                    name(way),
                    QUANTITIES,
                    List.of(
                            ratio(way, save, Measured::mostTombstones),
                            ratio(way, save, Measured::bytes),
                            ratio(way, save, Measured::readMillis),
                            ratio(way, save, Measured::compactedReadMillis),
                            ratio(way, save, Measured::writeMillis)));
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", file.toFile());
        System.out.println("Drawn to " + file.getFileName());
    }

    private static double ratio(Measured way, Measured save, ToDoubleFunction<Measured> quantity) {
        return Math.round(100 * quantity.applyAsDouble(way) / quantity.applyAsDouble(save)) / 100.0;
    }

    private static Measured of(List<Measured> measured, Way.Kind kind) {
        return measured.stream().filter(way -> way.kind() == kind).findFirst().orElseThrow();
    }

    private static String name(Measured way) {
        return switch (way.kind()) {
            case SAVE -> "save";
            case INSERT_WITHOUT_NULLS -> "insert, nulls ignored";
            case OVERWRITE -> "overwrite";
        };
    }
}
