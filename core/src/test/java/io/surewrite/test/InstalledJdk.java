package io.surewrite.test;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** An installed JDK: 17, and where it is. */
public record InstalledJdk(int feature, Path home) {

    /** {@return the one that runs this, and the newest that lies beside it, if that is newer} */
    public static List<InstalledJdk> runningAndNewest() throws IOException {
        Path running = Path.of(System.getProperty("java.home")).toRealPath();
        List<InstalledJdk> jdks = new ArrayList<>();
        try (Stream<Path> beside = Files.list(running.getParent())) {
            for (Path home : beside.toList()) {
                if (Files.isReadable(home.resolve("release")) && Files.isExecutable(home.resolve("bin/java"))) {
                    jdks.add(new InstalledJdk(feature(home), home));
                }
            }
        }
        InstalledJdk own = new InstalledJdk(Runtime.version().feature(), running);
        Stream<InstalledJdk> newest = jdks.stream()
                .filter(jdk -> jdk.feature() > own.feature())
                .max(Comparator.comparing(InstalledJdk::feature))
                .stream();
        return Stream.concat(Stream.of(own), newest).toList();
    }

    private static int feature(Path home) throws IOException {
        Properties release = new Properties();
        try (Reader reader = Files.newBufferedReader(home.resolve("release"))) {
            release.load(reader);
        }
        String version = release.getProperty("JAVA_VERSION").replace("\"", "");
        return Integer.parseInt(version.split("[._]", -1)[0]);
    }

    /** {@return the program that runs classes} */
    public String java() {
        return home.resolve("bin/java").toString();
    }
}
