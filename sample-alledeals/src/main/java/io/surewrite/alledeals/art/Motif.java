package io.surewrite.alledeals.art;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What an item is, as far as its name tells: drawn on a table, whose top is at 240 of 300. */
enum Motif {
    MUG("mug|cup|jug|bowl|pot\\b", brush -> {
        brush.ring(256, 165, 34, 15, brush.ink(1));
        brush.rect(140, 100, 115, 140, 16, brush.ink(1));
        brush.rect(140, 130, 115, 14, 0, brush.ink(2));
    }),
    BICYCLE("bicycle|bike|wheel|saddle", brush -> {
        brush.ring(112, 180, 56, 9, brush.ink(3));
        brush.ring(288, 180, 56, 9, brush.ink(3));
        brush.line(brush.ink(1), 9, "M112 180L160 105H258L194 180ZL112 180M194 180L150 88M288 180L250 80H275");
        brush.line(brush.ink(2), 12, "M132 86H168");
    }),
    PRINT("print|linocut|map|poster|wrap", brush -> {
        brush.rect(120, 40, 160, 200, 4, brush.ink(3));
        brush.rect(134, 54, 132, 172, 0, brush.ground());
        brush.circle(222, 98, 22, brush.ink(2));
        brush.path(brush.ink(1), "M134 226V160Q166 110 200 165Q236 120 266 170V226z");
    }),
    PLANT("plant|seed|tomato|flower", brush -> {
        brush.line(brush.ink(3), 6, "M200 180V70");
        brush.path(brush.ink(1), "M200 150Q130 140 118 84Q180 84 200 150z");
        brush.path(brush.ink(1), "M200 125Q216 62 280 62Q276 118 200 125z");
        brush.path(brush.ink(2), "M150 165H250L234 240H166z");
    }),
    STOOL("stool|chair|\\btable|desk|shelf", brush -> {
        brush.line(brush.ink(3), 13, "M152 115L130 234M248 115L270 234M200 115V234M142 185H258");
        brush.rect(118, 96, 164, 24, 12, brush.ink(1));
    }),
    CAMERA("camera|lens", brush -> {
        brush.rect(160, 92, 80, 40, 8, brush.ink(3));
        brush.rect(105, 115, 190, 125, 16, brush.ink(1));
        brush.circle(200, 178, 48, brush.ground());
        brush.circle(200, 178, 36, brush.ink(3));
        brush.circle(268, 138, 8, brush.ink(2));
    }),
    JAR("honey|jam|jar|500 g", brush -> {
        brush.rect(145, 95, 110, 145, 22, brush.ink(1));
        brush.rect(150, 72, 100, 28, 8, brush.ink(3));
        brush.rect(145, 140, 110, 60, 0, brush.ground());
        brush.circle(200, 170, 17, brush.ink(2));
    }),
    BOOK("book", brush -> {
        brush.rect(130, 70, 140, 170, 8, brush.ink(1));
        brush.rect(130, 70, 24, 170, 8, brush.ink(3));
        brush.rect(176, 100, 70, 34, 3, brush.ground());
    }),
    BOARD("board|tray\\b", brush -> {
        brush.rect(100, 120, 220, 120, 26, brush.ink(1));
        brush.rect(118, 138, 184, 84, 16, brush.ink(2));
        brush.circle(300, 180, 9, brush.ground());
    }),
    RECORD("record|vinyl", brush -> {
        brush.circle(200, 140, 100, brush.ink(3));
        brush.ring(200, 140, 78, 2, brush.ground());
        brush.ring(200, 140, 60, 2, brush.ground());
        brush.circle(200, 140, 36, brush.ink(1));
        brush.circle(200, 140, 6, brush.ground());
    }),
    CANDLE("candle", brush -> {
        for (int x : new int[] {150, 226}) {
            brush.rect(x, 100, 32, 140, 4, brush.ink(1));
            brush.path(brush.ink(2), "M%d 94q-16-20 0-44q16 24 0 44z", x + 16);
        }
    }),
    LAMP("lamp|light", brush -> {
        brush.rect(192, 120, 16, 110, 0, brush.ink(3));
        brush.rect(150, 226, 100, 14, 7, brush.ink(3));
        brush.path(brush.ink(1), "M165 50H235L270 130H130z");
        brush.path(brush.ink(2), "M150 130H250L236 150H164z");
    }),
    CLOCK("clock|watch", brush -> {
        brush.circle(160, 78, 20, brush.ink(3));
        brush.circle(240, 78, 20, brush.ink(3));
        brush.circle(200, 155, 85, brush.ink(1));
        brush.circle(200, 155, 68, brush.ground());
        brush.line(brush.ink(3), 8, "M200 110V155L232 172");
    }),
    /** Whatever it is, it comes in one. */
    PARCEL("", brush -> {
        brush.rect(120, 100, 160, 140, 4, brush.ink(1));
        brush.rect(188, 100, 24, 140, 0, brush.ink(2));
        brush.path(brush.ink(2), "M200 100q-60-46-52-8t52 8q60-46 52-8t-52 8z");
    });

    private final Pattern words;

    /** It keeps nothing. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Consumer<Brush> drawing;

    Motif(String words, Consumer<Brush> drawing) {
        this.words = Pattern.compile(words);
        this.drawing = drawing;
    }

    static Motif of(String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        return Stream.of(values())
                .filter(motif -> motif.words.matcher(plain).find())
                .findFirst()
                .orElse(PARCEL);
    }

    void draw(Brush brush) {
        drawing.accept(brush);
    }
}
