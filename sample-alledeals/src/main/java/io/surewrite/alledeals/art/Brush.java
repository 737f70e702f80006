package io.surewrite.alledeals.art;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Draws SVG shapes in the colours of one palette; its chances come from a seed, so the same seed draws the same. */
final class Brush {

    private final StringBuilder svg = new StringBuilder();
    private final Palette palette;
    private final SplittableRandom chance;

    Brush(Palette palette, SplittableRandom chance) {
        this.palette = palette;
        this.chance = chance;
    }

    /** A number from {@code from} to {@code to}, both included. */
    int between(int from, int to) {
        return from + chance.nextInt(to - from + 1);
    }

    String ground() {
        return palette.ground();
    }

    /** One of the inks, with much of the ground shining through. */
    String paleInk() {
        return ink(chance.nextInt(palette.inks().size())) + "40";
    }

    /** The inks one after the other, over and over. */
    String ink(int index) {
        List<String> inks = palette.inks();
        return inks.get(Math.floorMod(index, inks.size()));
    }

    void rect(int x, int y, int width, int height, int radius, String colour) {
        shape("<rect x='%d' y='%d' width='%d' height='%d' rx='%d' fill='%s'/>", x, y, width, height, radius, colour);
    }

    void circle(int x, int y, int radius, String colour) {
        shape("<circle cx='%d' cy='%d' r='%d' fill='%s'/>", x, y, radius, colour);
    }

    void ring(int x, int y, int radius, int width, String colour) {
        shape(
                "<circle cx='%d' cy='%d' r='%d' fill='none' stroke='%s' stroke-width='%d'/>",
                x, y, radius, colour, width);
    }

    void path(String colour, String format, Object... numbers) {
        shape("<path d='%s' fill='%s'/>", String.format(Locale.ROOT, format, numbers), colour);
    }

    void line(String colour, int width, String path) {
        shape(
                "<path d='%s' fill='none' stroke='%s' stroke-width='%d' stroke-linecap='round' stroke-linejoin='round'/>",
                path, colour, width);
    }

    private void shape(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }

    @Override
    public String toString() {
        return svg.toString();
    }
}
