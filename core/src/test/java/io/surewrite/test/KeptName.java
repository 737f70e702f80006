package io.surewrite.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Names that no other JVM uses until this one ends, and the next one after it may: a lock on a file says which. */
final class KeptName {

    private static final Path DIRECTORY = Path.of("target", "kept-names");
    private static final List<FileChannel> LOCKED = new ArrayList<>();

    private KeptName() {}

    /** {@return the first name that is free: a number and the text} */
    static synchronized String of(String text) {
        try {
            Files.createDirectories(DIRECTORY);
            for (int number = 1; ; number++) {
                String name = number + "-" + text;
                FileChannel file =
                        FileChannel.open(DIRECTORY.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                if (file.tryLock() != null) {
                    LOCKED.add(file);
                    return name;
                }
                file.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
