package io.surewrite.alledeals.art;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.core.io.ClassPathResource;

/** The picture of an item: what it shows follows from the name, and its colours and the sun from the id. */
final class Artwork {

    /** The ground, and four colours that go with it. */
    private static final List<List<String>> PALETTES = List.of(
            List.of("#efe4cf", "#1f4e5f", "#e07a5f", "#f2b84b", "#3d8b7d"),
            List.of("#e6ebda", "#34543a", "#9fb28a", "#d9653b", "#f0c35b"),
            List.of("#2c2f4a", "#ef8354", "#f7c59f", "#56659c", "#c9c7c3"),
            List.of("#f5e6da", "#7f9f98", "#e8837f", "#f3c5bd", "#3d405b"),
            List.of("#e3ecf0", "#274c77", "#6096ba", "#e4b363", "#d1495b"),
            List.of("#f0e5ee", "#5b2a52", "#c06c84", "#f6b17a", "#6c8ead"),
            List.of("#14332d", "#e9c46a", "#2a9d8f", "#f4a261", "#e9e3d0"),
            List.of("#ecdccf", "#9c4a2f", "#d9a05b", "#4a6c6f", "#2e2a27"));

    /** The sun above a table, whose top is at 240 of 300, and what stands on it. */
    private static final String PICTURE = """
            <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 400 300'><rect width='400' height='300' fill='$0'/>
            <circle cx='%d' cy='%d' r='%d' fill='$%d40'/><rect y='240' width='400' height='60' fill='$1'/>
            %s</svg>
            """;

    static final List<Motif> MOTIFS = read();

    private Artwork() {}

    static String svg(UUID id, String name) {
        SplittableRandom chance = new SplittableRandom(id.getMostSignificantBits() * 31 + id.getLeastSignificantBits());
        List<String> colours = PALETTES.get(chance.nextInt(PALETTES.size()));
        String svg = PICTURE.formatted(
                chance.nextInt(40, 361),
                chance.nextInt(30, 131),
                chance.nextInt(40, 91),
                chance.nextInt(1, 5),
                motif(name).shapes());
        for (int colour = 0; colour < colours.size(); colour++) {
            svg = svg.replace("$" + colour, colours.get(colour));
        }
        return svg;
    }

    /** The last one fits any name: whatever it is, it comes in a parcel. */
    static Motif motif(String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        return MOTIFS.stream()
                .filter(motif -> motif.words().matcher(plain).find())
                .findFirst()
                .orElseThrow();
    }

    private static List<Motif> read() {
        try {
            String all = new ClassPathResource("art/motifs.txt").getContentAsString(StandardCharsets.UTF_8);
            return Stream.of(all.split("\\R\\R"))
                    .map(text -> text.split(": ?|\\R", 3))
                    .map(parts -> new Motif(parts[0], Pattern.compile(parts[1]), parts[2]))
                    .toList();
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    /** What an item is, as far as its name tells, drawn in the colours of a palette: {@code $0} is the ground. */
    record Motif(String name, Pattern words, String shapes) {}
}
