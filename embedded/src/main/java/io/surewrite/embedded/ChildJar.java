package io.surewrite.embedded;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
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
 * application's, and no directory: class-data sharing allows none. It stands first on that class path: for a JDK without a
 * security manager it has a class that takes the place of Cassandra's.
 */
final class ChildJar {

    static final String MAIN_CLASS = "io.surewrite.embedded.child.ServerMain";

    private static final List<String> CLASSES = List.of(
            "io/surewrite/embedded/child/ServerMain.class",
            "io/surewrite/embedded/child/NodeLock.class",
            "io/surewrite/embedded/child/ClassArchive.class",
            "io/surewrite/embedded/child/Links.class",
            "io/surewrite/embedded/child/Operations.class",
            "io/surewrite/embedded/child/Reply.class");

    /** Where the class is that takes the place, and which place. */
    private static final String STAND_IN = "io/surewrite/embedded/child/ThreadAwareSecurityManager";

    private static final String STOOD_FOR = "org/apache/cassandra/security/ThreadAwareSecurityManager";

    private ChildJar() {}

    /** The jar for a JDK in the cache, named by its content, or else in a node's directory. */
    static Path in(@Nullable Path cache, Path nodeDirectory, Jdk jdk) throws IOException {
        byte[] jar = pack(jdk);
        Path folder = cache == null ? nodeDirectory : cache;
        Path file = folder.resolve("child-" + Fingerprint.of(jar) + ".jar");
        if (!Files.exists(file)) {
            Path part = Files.createTempFile(folder, "child-", ".part");
            Files.write(part, jar);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return file;
    }

    private static byte[] pack(Jdk jdk) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String name : CLASSES) {
                add(zip, name, read(name));
            }
            if (!jdk.hasSecurityManager()) {
                add(zip, STOOD_FOR + ".class", renamed(read(STAND_IN + ".class"), STAND_IN, STOOD_FOR));
            }
        }
        return bytes.toByteArray();
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(0); // The same content makes the same jar.
        zip.putNextEntry(entry);
        zip.write(content);
    }

    private static byte[] read(String name) throws IOException {
        try (InputStream in = ChildJar.class.getClassLoader().getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("This jar lacks " + name);
            }
            return in.readAllBytes();
        }
    }

    /** A class file with another name for its class: the texts in its constant pool, which all else refers to. */
    private static byte[] renamed(byte[] classFile, String from, String to) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(in.readLong()); // magic number and version
        int constants = in.readUnsignedShort();
        out.writeShort(constants);
        for (int i = 1; i < constants; i++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            switch (tag) {
                case 1 -> out.writeUTF(in.readUTF().replace(from, to));
                case 5, 6 -> { // A long or a double counts twice.
                    out.writeLong(in.readLong());
                    i++;
                }
                case 7, 8, 16, 19, 20 -> out.writeShort(in.readUnsignedShort());
                case 15 -> out.write(in.readNBytes(3));
                default -> out.writeInt(in.readInt());
            }
        }
        in.transferTo(out);
        return bytes.toByteArray();
    }
}
