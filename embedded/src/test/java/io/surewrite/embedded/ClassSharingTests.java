package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassSharingTests {

    @TempDir
    private Path folder;

    @BeforeEach
    void bringTheJdksOwnArchive() throws IOException {
        Files.createDirectories(folder.resolve("lib/server"));
        Files.writeString(folder.resolve("lib/server/classes.jsa"), "");
    }

    @Test
    void letsJdk17WriteTheArchiveWhileItServes() {
        assertThat(arguments(17, List.of())).contains("-XX:+RecordDynamicDumpInfo");
    }

    /** JDK 25 crashes at a later lambda, and those in between cannot be tried everywhere. */
    @Test
    void neverLetsANewerJdkWriteTheArchiveWhileItServes() {
        for (int feature = 18; feature < 30; feature++) {
            assertThat(arguments(feature, List.of()))
                    .contains("-XX:DumpLoadedClassList=" + folder.resolve("node1/classes.list"))
                    .doesNotContain("-XX:+RecordDynamicDumpInfo");
        }
    }

    private List<String> arguments(int feature, List<String> flags) {
        Jdk jdk = new Jdk(folder, String.valueOf(feature), feature);
        return ClassSharing.of(folder, jdk, List.of(folder.resolve("a.jar")), flags)
                .arguments(folder.resolve("node1"));
    }
}
