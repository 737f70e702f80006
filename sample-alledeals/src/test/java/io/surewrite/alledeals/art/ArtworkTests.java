package io.surewrite.alledeals.art;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.art.Artwork.Motif;
import java.io.StringReader;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ArtworkTests {

    @Test
    void drawsTheSamePictureForTheSameId() {
        UUID id = UUID.randomUUID();

        assertThat(Artwork.svg(id, "Oak stool")).isEqualTo(Artwork.svg(id, "Oak stool"));
    }

    @Test
    void drawsAnotherPictureForAnotherId() {
        Stream<String> pictures = ids(200).map(id -> Artwork.svg(id, "Oak stool"));

        assertThat(pictures).doesNotHaveDuplicates();
    }

    @Test
    void drawsWellFormedPicturesThatLoadNothing() throws Exception {
        for (Motif motif : Artwork.MOTIFS) {
            String svg = Artwork.svg(UUID.randomUUID(), motif.name());
            Document document = DocumentBuilderFactory.newDefaultNSInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(svg)));
            assertThat(document.getDocumentElement().getAttribute("viewBox")).isEqualTo("0 0 400 300");
            assertThat(document.getDocumentElement().getChildNodes().getLength())
                    .isGreaterThan(4);
            assertThat(svg).doesNotContain("href", "<script", "url(", "null", "%", "$");
        }
    }

    @Test
    void showsWhatTheNameSays() {
        assertThat(Stream.of(
                                "Pair of espresso cups",
                                "Wheel truing",
                                "Planter, 16 cm",
                                "Dynamo headlight",
                                "Portable record player",
                                "A secret")
                        .map(Artwork::motif)
                        .map(Motif::name))
                .containsExactly("mug", "bicycle", "plant", "lamp", "record", "parcel");
    }

    private static Stream<UUID> ids(int count) {
        Random seeded = new Random(20261121);
        return Stream.generate(() -> new UUID(seeded.nextLong(), seeded.nextLong()))
                .limit(count);
    }
}
