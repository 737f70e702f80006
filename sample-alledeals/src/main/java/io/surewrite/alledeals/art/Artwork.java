package io.surewrite.alledeals.art;

import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** The picture of an item: palette, motif and every shape follow from its id. */
final class Artwork {

    private Artwork() {}

    static String svg(UUID id) {
        SplittableRandom chance = new SplittableRandom(id.getMostSignificantBits() * 31 + id.getLeastSignificantBits());
        Palette palette = oneOf(Palette.ALL, chance);
        Motif motif = oneOf(List.of(Motif.values()), chance);
        Brush brush = new Brush(palette, chance);
        brush.rect(0, 0, 400, 300, 0, brush.ground());
        motif.draw(brush);
        return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 400 300'>%s</svg>".formatted(brush);
    }

    private static <T> T oneOf(List<T> choices, SplittableRandom chance) {
        return choices.get(chance.nextInt(choices.size()));
    }
}
