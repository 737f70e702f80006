package io.surewrite.embedded;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A jar of the few classes that run in the server's JVM, so that the server's class path has nothing else of the
 * application's, and no directory: class-data sharing allows none.
 */
final class ChildJar {

    static final String MAIN_CLASS = "io.surewrite.embedded.child.ServerMain";

    private static final List<String> CLASSES = List.of(
            "io/surewrite/embedded/child/ServerMain.class",
            "io/surewrite/embedded/child/NodeLock.class",
            "io/surewrite/embedded/child/ClassArchive.class");

    private ChildJar() {}

    /** The jar in the cache, named by its content, or else in a node's directory. */
    static Path in(@Nullable Path cache, Path nodeDirectory) throws IOException {
        byte[] jar = pack();
        Path folder = cache == null ? nodeDirectory : cache;
        Path file = folder.resolve("child-" + Fingerprint.of(jar) + ".jar");
        if (!Files.exists(file)) {
            Path part = Files.createTempFile(folder, "child-", ".part");
            Files.write(part, jar);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return file;
    }

    private static byte[] pack() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String name : CLASSES) {
                ZipEntry entry = new ZipEntry(name);
                entry.setTime(0); // The same content makes the same jar.
                zip.putNextEntry(entry);
                try (InputStream in = ChildJar.class.getClassLoader().getResourceAsStream(name)) {
                    if (in == null) {
                        throw new IOException("This jar lacks " + name);
                    }
                    in.transferTo(zip);
                }
            }
        }
        return bytes.toByteArray();
    }
}
