package io.surewrite.verification.report;

import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Goal;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.HorizontalBarChart;
import org.knowm.xchart.HorizontalBarChartBuilder;

/** How far the results of a benchmark are on their way to the limits of their goals. */
final class GoalChart {

    private GoalChart() {}

    /** A PNG, if there are results that can be drawn: with a goal, whose limit is not zero. */
    static Optional<byte[]> of(String title, List<Figure> figures) throws IOException {
        List<String> names = new ArrayList<>();
        List<Double> shares = new ArrayList<>();
        for (Figure figure : figures) {
            Goal goal = figure.goal();
            if (goal != null && goal.limit() != 0) {
                names.add(figure.whose() == null ? figure.what() : figure.what() + " ÷ " + figure.whose());
                shares.add(Math.round(100 * goal.share(figure.result())) / 100.0);
            }
        }
        if (names.isEmpty()) {
            return Optional.empty();
        }
        HorizontalBarChart chart = new HorizontalBarChartBuilder()
                .width(1100)
                .height(140 + 34 * names.size())
                .title(title + ": 1 is the limit of the goal, less is better")
                .build();
        chart.getStyler().setLegendVisible(false);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setLabelsVisible(true);
        chart.getStyler().setXAxisMin(0.0);
        chart.addSeries("share of the limit", shares, names);
        ByteArrayOutputStream picture = new ByteArrayOutputStream();
        ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", picture);
        return Optional.of(picture.toByteArray());
    }
}
