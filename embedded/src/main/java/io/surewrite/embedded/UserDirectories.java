package io.surewrite.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where things are kept that can always be made again: {@code surewrite} in the user's cache directory. */
final class UserDirectories {

    static final String CACHE_PROPERTY = "surewrite.embedded.cache-directory";

    private UserDirectories() {}

    /** The cache, or nothing where it cannot be written: then every start does its work anew. */
    static @Nullable Path cache() {
        Path directory = cacheLocation();
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            return null;
        }
    }

    private static Path cacheLocation() {
        String chosen = System.getProperty(CACHE_PROPERTY);
        if (chosen != null) {
            return Path.of(chosen).toAbsolutePath();
        }
        Path home = Path.of(System.getProperty("user.home", "."));
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (os.startsWith("windows")) {
            return fromEnvironment("LOCALAPPDATA", home.resolve("AppData/Local"))
                    .resolve("surewrite/cache");
        }
        if (os.startsWith("mac")) {
            return home.resolve("Library/Caches/surewrite");
        }
        return fromEnvironment("XDG_CACHE_HOME", home.resolve(".cache")).resolve("surewrite");
    }

    private static Path fromEnvironment(String variable, Path otherwise) {
        String value = System.getenv(variable);
        return value == null || value.isBlank() ? otherwise : Path.of(value);
    }
}
