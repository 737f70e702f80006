package io.surewrite.verification.overwrite;

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

    static void print(int nulls, List<Measured> measured) {
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
        System.out.printf("%noverwrite ÷ save%n");
        goal("read p50", overwrite.readMillis() / save.readMillis(), 0.70);
        goal("read p50, compacted", overwrite.compactedReadMillis() / save.compactedReadMillis(), 0.70);
        goal("bytes on disk", (double) overwrite.bytes() / save.bytes(), 0.70);
        goal("write p50", overwrite.writeMillis() / save.writeMillis(), 1.02);
        System.out.printf(
                "  tombstones a read    %d (goal: 0) against %d - %d%n",
                overwrite.mostTombstones(), save.leastTombstones(), save.mostTombstones());
    }

    private static void goal(String what, double ratio, double most) {
        System.out.printf(
                Locale.ROOT,
                "  %-20s %.2f (goal: at most %.2f, %s)%n",
                what,
                ratio,
                most,
                ratio <= most ? "met" : "missed");
    }

    static void draw(int nulls, List<Measured> measured, Path file) throws IOException {
        CategoryChart chart = new CategoryChartBuilder()
                .width(900)
                .height(480)
                .title("40 columns, %d null, each row overwritten ten times".formatted(nulls))
                .yAxisTitle("relative to save (less is better)")
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNW);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
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
