package io.surewrite.alledeals.art;

import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** The picture of an item: what it shows follows from the name, and its colours and the sun from the id. */
final class Artwork {

    private Artwork() {}

    static String svg(UUID id, String name) {
        SplittableRandom chance = new SplittableRandom(id.getMostSignificantBits() * 31 + id.getLeastSignificantBits());
        Palette palette = oneOf(Palette.ALL, chance);
        Brush brush = new Brush(palette, chance);
        brush.rect(0, 0, 400, 300, 0, brush.ground());
        brush.circle(brush.between(40, 360), brush.between(30, 130), brush.between(40, 90), brush.paleInk());
        brush.rect(0, 240, 400, 60, 0, brush.ink(0));
        Motif.of(name).draw(brush);
        return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 400 300'>%s</svg>".formatted(brush);
    }

    private static <T> T oneOf(List<T> choices, SplittableRandom chance) {
        return choices.get(chance.nextInt(choices.size()));
    }
}
