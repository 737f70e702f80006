package io.surewrite.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The folders in which JDKs are usually installed, by operating system. */
final class JdkFolders {

    private JdkFolders() {}

    static List<Path> ofThisMachine() {
        return of(
                System.getProperty("os.name", ""),
                Path.of(System.getProperty("user.home", ".")),
                System.getenv().getOrDefault("ProgramFiles", "C:\\Program Files"));
    }

    static List<Path> of(String os, Path home, String programFiles) {
        List<Path> folders = new ArrayList<>();
        for (String byUser : List.of(
                ".sdkman/candidates/java",
                ".jdks",
                ".gradle/jdks",
                ".asdf/installs/java",
                ".local/share/mise/installs/java",
                ".jenv/versions",
                ".jabba/jdk")) {
            folders.add(home.resolve(byUser));
        }
        String name = os.toLowerCase(Locale.ROOT);
        if (name.startsWith("windows")) {
            for (String vendor : List.of(
                    "Java",
                    "Eclipse Adoptium",
                    "Microsoft",
                    "Zulu",
                    "Amazon Corretto",
                    "BellSoft",
                    "Semeru",
                    "RedHat")) {
                folders.add(Path.of(programFiles, vendor));
            }
            folders.add(home.resolve("scoop/apps"));
        } else if (name.startsWith("mac")) {
            folders.add(Path.of("/Library/Java/JavaVirtualMachines"));
            folders.add(home.resolve("Library/Java/JavaVirtualMachines"));
            folders.add(Path.of("/opt/homebrew/opt"));
            folders.add(Path.of("/usr/local/opt"));
        } else {
            folders.add(Path.of("/usr/lib/jvm"));
            folders.add(Path.of("/usr/java"));
            folders.add(Path.of("/opt"));
            folders.add(Path.of("/opt/java"));
            folders.add(Path.of("/usr/local"));
        }
        return folders;
    }
}
