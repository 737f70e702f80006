package io.surewrite.backlog.store;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.NativeLibraryNotFoundException;

/**
 * Removes what processes that were killed left of SQLite's native library: each start unpacks one of a megabyte, and only a
 * process that ends by itself removes its own. A process that uses its library has loaded it long ago, so an older file may go:
 * where the system needs the file it does not let it go.
 */
final class NativeLibraries {

    private static final Logger log = LoggerFactory.getLogger(NativeLibraries.class);

    /** The library, and the lock file beside it. */
    private static final String NAMES = "sqlite-*sqlitejdbc*";

    /** Unpacked and not loaded yet: not for so long. */
    private static final Duration LOADED_BY_NOW = Duration.ofHours(1);

    private NativeLibraries() {}

    /** Where this process unpacks its own. */
    static String directory() {
        return System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir"));
    }

    /** Sweeps there. */
    static void sweep() {
        sweep(Path.of(directory()), Instant.now());
    }

    /** {@return what kept the library from being loaded, if that is the cause of a failure} */
    static @Nullable Throwable whyNotLoaded(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof NativeLibraryNotFoundException || each instanceof LinkageError) {
                return each;
            }
        }
        return null;
    }

    static void sweep(Path temporary, Instant now) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(temporary, NAMES)) {
            for (Path file : files) {
                removeIfOld(file, now);
            }
        } catch (IOException | DirectoryIteratorException failure) {
            log.debug("Left-over native libraries in {} were not looked for", temporary, failure);
        }
    }

    private static void removeIfOld(Path file, Instant now) {
        try {
            if (Files.isRegularFile(file)
                    && Files.getLastModifiedTime(file)
                            .toInstant()
                            .plus(LOADED_BY_NOW)
                            .isBefore(now)) {
                Files.deleteIfExists(file);
            }
        } catch (IOException notOurs) {
            log.debug("{} stays", file, notOurs);
        }
    }
}
